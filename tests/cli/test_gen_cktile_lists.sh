#!/usr/bin/env bash
# cktune gen --target cktile on Composable Kernel's own lists: as many sources, calls, declarations and skipped lines as
# ck/README.md counts, each source with its own name, and every one as the list's line says in a few fields.
#   test_gen_cktile_lists.sh BUILD_FOLDER SHARED_FOLDER
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
lists=$2/ck/configs
golden=$2/ck/golden
[ -e "$lists" ] || exit 77

mkdir -p root/include
ln -s "$lists" root/configs
for copy in instance_includes.inc instance_run.inc signatures.hpp; do echo "// $copy" >root/include/$copy; done
printf 'gen_instance_name gen_signature\ngen_specialization\ngen_thread_block\ngen_block_gemm_desc\ngen_block_transfer\ngen_optimizations\n' \
  >root/include/grouped_convolution_tile.cpp.in

# counts MODE SOURCES SKIPPED
counts() {
  run 0 gen --target cktile --root root --instances_dir made --mode "$1" --clean
  [ "$(find made -name '*.cpp' | wc -l) $(wc -l <out)" = "$2 $3" ] || fail "mode $1: $(find made -name '*.cpp' | wc -l) sources"
  [ "$(cat root/instances/*/*_calls.inc | grep -c '^run_alg(run_')" = "$2" ] || fail "mode $1: other calls"
  [ "$(find root/instances -name '*.inc' ! -name '*_calls.inc' -exec cat {} + | grep -c '^std::tuple<bool, float, std::string> run_')" = "$2" ] ||
    fail "mode $1: other declarations"
  skips "$1" | cmp -s - out || fail "mode $1: other messages"
  tiles "$1" | sort | cmp -s - <(find made -name '*.cpp' -exec awk '
    FNR == 1 { name = $1 } /TileThreadBlock/ { tile = $0 } /warp_tile/ { print name, tile, $0 }' {} + | tr -s ' ' | sort) ||
    fail "mode $1: a source has another tile than its line"
}

# The golden records in the order of a run: of one kind of line.
records() { # MODE
  local direction config
  for direction in forward backward_weight backward_data; do
    for config in nhwgc_fp32 nhwgc_fp16 nhwgc_bf16 ndhwgc_fp32 ndhwgc_fp16 ndhwgc_bf16; do
      jq -c --arg name "grouped_convolution_${direction}_tile_$config" '.name = "\($name)_\(.line)"' "$golden/${direction}_$1_$config.jsonl"
    done
  done
}
skips() {
  records "$1" | jq -r 'select(.status == "skipped") | .reason'
}
tiles() {
  records "$1" | jq -r 'select(.status == "instance") | "\(.name) ckt::TileThreadBlock{.tile_size = {.m = \(.tile[0]), .n = \(.tile[1]), .k = \(.tile[2])}} .warp_tile = {.m = \(.warp_tile[0]), .n = \(.warp_tile[1]), .k = \(.warp_tile[2])},"'
}

counts profiler 2016 183
counts tests 521 94
