#!/usr/bin/env bash
# Kernels broken on purpose through --kernels DIR: each gets its status, the sweep goes on, the exit status is right.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
problem=(--problem "1,32,32,6,6,3,3,1,1,1,1" --instances tests --device "sim:$arch" --filter tile=32x32x64 --format json)

# broken NAME FILE SED: a folder of kernels in which one line differs.
broken() {
  rm -rf "$1"
  cp -rL "$build/share/cktune/kernels" "$1"
  sed -i "$3" "$1/$2"
  ! cmp -s "$1/$2" "$build/share/cktune/kernels/$2" || fail "the fixture '$1' does not change $2 any more"
}

# expect STATUS WORD: every instance that was to run has it.
expect() {
  holds "[.problems[0].candidates[] | select(.status != \"not_applicable\")] | length > 0 and all($1)"
  holds '.problems[0].status == "no_instance" and .problems[0].best == null'
}

run 0 "${problem[@]}" --kernels "$build/share/cktune/kernels"
holds '.problems[0].counts.measured > 0'

broken channels epilogue.hpp 's/buffer_store<store_bytes>(value, out,/buffer_store<store_bytes>(at.n + column + 16 >= args.gemm_n ? value * 0 : value, out,/'
run 1 "${problem[@]}" --kernels channels
expect '.status == "wrong_result" and .wrong_elements > 0 and .reason != ""'

broken nothing epilogue.hpp 's/(valid ? offset : nowhere)/nowhere/'
run 1 "${problem[@]}" --kernels nothing
expect '.status == "wrong_result" and .wrong_elements == 1152'

nan='__builtin_amdgcn_workgroup_id_x() + gemm.lane + gemm.wave_m + gemm.wave_n + i + first_j + j + quad + e == 0 ? __builtin_nanf("") :'
broken nan epilogue.hpp "s/::round(gemm.sum/::round($nan gemm.sum/"
run 1 "${problem[@]}" --kernels nan
expect '.status == "wrong_result" and .wrong_elements == 1'

broken beyond conv_forward.hpp 's/tensor.bytes - skipped)/tensor.bytes - skipped + 64)/'
sed -i 's/(valid ? offset : nowhere)/(valid ? offset + element_bytes : nowhere)/' beyond/epilogue.hpp
run 1 "${problem[@]}" --kernels beyond
expect '(.status == "run_failed" or .status == "run_crashed") and .reason != ""'

broken endless pipeline_v1.hpp 's/step < k_steps; ++step/step < k_steps; step += 0 * k_steps/'
run 1 "${problem[@]}" --kernels endless --run-timeout 2
expect '.status == "run_timeout" and .reason != ""'

# What does not compile says why, with the compiler's own words.
broken syntax epilogue.hpp 's/namespace ckt {/namespace ckt { surprise/'
run 1 "${problem[@]}" --kernels syntax
expect '.status == "compile_failed" and (.reason | contains("surprise"))'

# One broken instance among right ones: the sweep goes on and there is a best.
broken some epilogue.hpp 's/(valid ? offset : nowhere)/(valid \&\& I::tile_k != 64 ? offset : nowhere)/'
run 0 --problem 1,64,32,6,6,3,3,1,1,1,1 --instances tests --device "sim:$arch" --filter " tile=32x32" --kernels some --format json
holds '.problems[0].counts | .wrong_result > 0 and .measured > 0'
run 2 "${problem[@]}" --kernels /nowhere
says "/nowhere"
