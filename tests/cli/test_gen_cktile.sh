#!/usr/bin/env bash
# cktune gen --target cktile: the files of generate_instances.py, its places, bytes and messages, for each mode, direction and
# filter; nothing is written when an input is wrong; --clean removes sources of earlier runs and nothing else.
#   test_gen_cktile.sh BUILD_FOLDER
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
configs="nhwgc_fp32 nhwgc_fp16 nhwgc_bf16 ndhwgc_fp32 ndhwgc_fp16 ndhwgc_bf16"

# ---- a tree of inputs ----

order="Seq(1,0,2),Seq(1,0,2)"                # orders of a copy: they have no effect
pass=PassThrough,PassThrough,PassThrough     # elementwise operators neither

forward() { # SPECIALIZATION A_VECTOR
  printf %s "DeviceGroupedConvFwdMultipleABD_Xdl_CShuffle<2,NHWGC,GKYXC,EmptyTuple,NHWGK,fp16,fp16,fp32,fp16,EmptyTuple,fp16,$pass,$1,MNKPadding,1,256,128,64,32,8,8,32,32,2,1,Seq(4,64,1),$order,2,$2,8,1,Seq(4,64,1),$order,2,8,8,1,1,1,Seq(1,32,1,8),4,fp16,fp16,Default,1>"
}
forward_v3() { # SPECIALIZATION SCHEDULER VERSION DIRECT_LOAD GROUPS
  printf %s "DeviceGroupedConvFwdMultipleABD_Xdl_CShuffle_V3<2,NHWGC,GKYXC,EmptyTuple,NHWGK,fp16,fp16,fp32,fp16,EmptyTuple,fp16,$pass,$1,MNKPadding,256,128,64,32,8,8,16,16,4,2,Seq(4,64,1),$order,2,8,8,0,Seq(4,64,1),$order,2,4,8,0,1,1,Seq(1,32,1,8),2,$2,$3,fp16,fp16,$4,$5>"
}
weight_two_stage() { # VERSION C_VECTOR
  printf %s "DeviceGroupedConvBwdWeightTwoStage_Xdl_CShuffle<3,NDHWGC,GKZYXC,NDHWGK,bf16,bf16,bf16,fp32,$pass,Filter1x1Stride1Pad0,64,16,16,32,8,16,16,1,1,Seq(4,8,1),$order,1,1,4,0,Seq(4,8,1),$order,1,2,4,0,1,1,Seq(1,8,1,8),$2,Interwave,$1,4,bf16,bf16,1,1>"
}
data() { # SCHEDULER
  printf %s "DeviceGroupedConvBwdDataMultipleD_Xdl_CShuffle<2,NHWGK,GKYXC,EmptyTuple,NHWGC,fp32,fp32,fp32,EmptyTuple,fp32,$pass,Filter1x1Stride1Pad0,true,true,1,128,128,32,16,4,4,32,32,2,1,Seq(4,32,1),$order,2,4,4,1,Seq(4,32,1),$order,2,4,4,1,1,1,Seq(1,32,1,4),4,1,$1,fp32,fp32,1,1>"
}
large=$(forward Default 8 | sed 's/Xdl_CShuffle/&_Large_Tensor/; s/,1>$/>/')

make_root() {
  local direction mode config
  rm -rf root made
  mkdir -p root/include
  for direction in forward backward_weight backward_data; do
    for mode in profiler tests; do
      mkdir -p "root/configs/$direction/$mode"
      for config in $configs; do
        echo "# no instance" >"root/configs/$direction/$mode/$config.conf"
      done
    done
  done
  # Lines end in every way there is.
  printf '%s\n; none\r\n%s\r%s\r\n%s\n%s\n%s\n%s' "$(forward Default 1)" "$(forward OddC 8)" "$large" \
    "$(forward_v3 Filter3x3 BlkInterwave v4 false 8)" "$(forward_v3 Filter1x1Pad0 Intrawave v5 false 1)" \
    "$(forward_v3 Filter1x1Pad0 Intrawave v1 true 1)" "$(forward_v3 Default Intrawave v4 true 1)" \
    >root/configs/forward/profiler/nhwgc_fp16.conf
  printf '%s\n' "$(weight_two_stage v2 3)" "$(weight_two_stage v2 8)" "$(weight_two_stage v5 8)" \
    >root/configs/backward_weight/profiler/ndhwgc_bf16.conf
  data Interwave >root/configs/backward_data/tests/nhwgc_fp32.conf
  printf '%s\r\n' '// gen_instance_name' 'auto a = f<gen_signature>(gen_specialization,' '  gen_thread_block, gen_block_gemm_desc,' \
    '  gen_block_transfer,' '  gen_optimizations); // gen_instance_name' >root/include/grouped_convolution_tile.cpp.in
  printf 'includes\r\n' >root/include/instance_includes.inc
  printf 'run' >root/include/instance_run.inc
  printf 'signatures\n' >root/include/signatures.hpp
  chmod 640 root/include/signatures.hpp
}

gen() { # STATUS [OPTION]...
  local status=$1
  shift
  run "$status" gen --target cktile --root root --instances_dir made/instances "$@"
}

# same FILE: it is what stdin says, to the byte.
same() {
  cat >"$scratch/expected"
  cmp -s "$scratch/expected" "$1" || fail "$1 differs: $(diff "$scratch/expected" "$1" | head -n 8)"
}

# sources FILE...: exactly these are below made/instances, beside the three copies.
sources() {
  local seen expected
  seen=$(cd made/instances && find . -type f -printf '%P\n' | sort)
  expected=$(printf '%s\n' "$@" instance_includes.inc instance_run.inc signatures.hpp | sort)
  [ "$seen" = "$expected" ] || fail "other sources: $(diff <(echo "$expected") <(echo "$seen"))"
}

f=grouped_convolution_forward_tile_nhwgc_fp16
w=grouped_convolution_backward_weight_tile_ndhwgc_bf16
d=grouped_convolution_backward_data_tile_nhwgc_fp32

# ---- all of it ----

make_root
gen 0
same out <<'END'
Skipping instance 3 with split_image since it's not supported yet.
Skipping instance 5 with V5 since it's not supported yet.
Skipping instance 7 with ASYNC_V4 since it's not supported yet.
Skipping instance 0 with irregular load since it's not supported yet.
Skipping instance 2 with V6 since it's not supported yet.
END
sources "forward/nhwgc_fp16/${f}_0.cpp" "forward/nhwgc_fp16/${f}_2.cpp" "forward/nhwgc_fp16/${f}_4.cpp" \
  "forward/nhwgc_fp16/${f}_6.cpp" "backward_weight/ndhwgc_bf16/${w}_1.cpp"
[ "$(find root/instances -type f | wc -l)" = 36 ] || fail "not two files for each of 18 lists"
for copy in instance_includes.inc instance_run.inc signatures.hpp; do
  cmp -s "root/include/$copy" "made/instances/$copy" || fail "$copy is no copy"
done
[ "$(stat -c %a made/instances/signatures.hpp)" = 640 ] || fail "a copy has other permissions"
same made/instances/forward/nhwgc_fp16/${f}_0.cpp <<'END'
// grouped_convolution_forward_tile_nhwgc_fp16_0
auto a = f<SIGNATURE_NHWGC_FP16_FWD>(ckb::TileConvSpecialization::DEFAULT,
  ckt::TileThreadBlock{.tile_size = {.m = 128, .n = 64, .k = 32}}, ckt::TileBlockGemm{
                    .warps              = {.m = 2, .n = 2, .k = 1},
                    .warp_tile          = {.m = 32, .n = 32, .k = 8},
                    .double_smem_buffer = false,
                    .num_wave_groups    = 1,
                    .pipeline_version   = ckb::PipelineVersion::V1,
                    .scheduler          = ckb::PipelineScheduler::INTRAWAVE},
  ckt::TileTransfer{.a_scalar_per_vector = 1, 
                .b_scalar_per_vector = 8, .c_scalar_per_vector = 4},
  ckt::TileOptimizations{.num_groups_to_merge = 1, .split_image = false, .explicit_gemm = false, .two_stage = false}); // grouped_convolution_forward_tile_nhwgc_fp16_0
END
same made/instances/forward/nhwgc_fp16/${f}_4.cpp <<'END'
// grouped_convolution_forward_tile_nhwgc_fp16_4
auto a = f<SIGNATURE_NHWGC_FP16_FWD>(ckb::TileConvSpecialization::FILTER_3x3,
  ckt::TileThreadBlock{.tile_size = {.m = 128, .n = 64, .k = 32}}, ckt::TileBlockGemm{
                    .warps              = {.m = 2, .n = 2, .k = 1},
                    .warp_tile          = {.m = 16, .n = 16, .k = 16},
                    .double_smem_buffer = true,
                    .num_wave_groups    = 1,
                    .pipeline_version   = ckb::PipelineVersion::V4,
                    .scheduler          = ckb::PipelineScheduler::INTERWAVE},
  ckt::TileTransfer{.a_scalar_per_vector = 8, 
                .b_scalar_per_vector = 4, .c_scalar_per_vector = 2},
  ckt::TileOptimizations{.num_groups_to_merge = 8, .split_image = false, .explicit_gemm = false, .two_stage = false}); // grouped_convolution_forward_tile_nhwgc_fp16_4
END
grep -q 'TileConvSpecialization::DEFAULT,' made/instances/forward/nhwgc_fp16/${f}_2.cpp || fail "OddC is not DEFAULT"
grep -q 'PipelineVersion::ASYNC_V1,' made/instances/forward/nhwgc_fp16/${f}_6.cpp || fail "direct load is not ASYNC_V1"
same made/instances/backward_weight/ndhwgc_bf16/${w}_1.cpp <<'END'
// grouped_convolution_backward_weight_tile_ndhwgc_bf16_1
auto a = f<SIGNATURE_NDHWGC_BF16_BWD_WEIGHT>(ckb::TileConvSpecialization::FILTER_1X1_STRIDE1_PAD0,
  ckt::TileThreadBlock{.tile_size = {.m = 16, .n = 16, .k = 32}}, ckt::TileBlockGemm{
                    .warps              = {.m = 1, .n = 1, .k = 1},
                    .warp_tile          = {.m = 16, .n = 16, .k = 16},
                    .double_smem_buffer = false,
                    .num_wave_groups    = 1,
                    .pipeline_version   = ckb::PipelineVersion::V2,
                    .scheduler          = ckb::PipelineScheduler::INTERWAVE},
  ckt::TileTransfer{.a_scalar_per_vector = 1, 
                .b_scalar_per_vector = 2, .c_scalar_per_vector = 8},
  ckt::TileOptimizations{.num_groups_to_merge = 4, .split_image = false, .explicit_gemm = false, .two_stage = true}); // grouped_convolution_backward_weight_tile_ndhwgc_bf16_1
END
same root/instances/forward/${f}_calls.inc <<END
run_alg(run_${f}_0);
run_alg(run_${f}_2);
run_alg(run_${f}_4);
run_alg(run_${f}_6);
END
same root/instances/backward_weight/$w.inc <<END
std::tuple<bool, float, std::string> run_${w}_1(
   const ckt::Args<SIGNATURE_NDHWGC_BF16_BWD_WEIGHT>& args,
   const ckt::Inputs<SIGNATURE_NDHWGC_BF16_BWD_WEIGHT>& inputs,
   const ckt::Outputs<SIGNATURE_NDHWGC_BF16_BWD_WEIGHT>& outputs,
   const ck_tile::stream_config& s_conf);
END
[ ! -s root/instances/backward_data/$d.inc ] || fail "a list without an instance has declarations"

# Again: no file is touched.
find root/instances made -type f -exec touch -d 2001-01-01 {} +
gen 0
says "0 files written, 44 as they were"
[ -z "$(find root/instances made/instances -newermt 2001-01-02 -type f)" ] || fail "a file that was right was written"

# ---- modes, directions, filters ----

make_root
gen 0 --mode tests --direction backward_data
[ ! -s out ] || fail "messages of lists that were not asked for"
sources "backward_data/nhwgc_fp32/${d}_0.cpp"
[ "$(cd root/instances && find . -type f | wc -l) $(ls root/instances)" = "12 backward_data" ] || fail "files of other directions"
same made/instances/backward_data/nhwgc_fp32/${d}_0.cpp <<'END'
// grouped_convolution_backward_data_tile_nhwgc_fp32_0
auto a = f<SIGNATURE_NHWGC_FP32_BWD_DATA>(ckb::TileConvSpecialization::FILTER_1X1_STRIDE1_PAD0,
  ckt::TileThreadBlock{.tile_size = {.m = 128, .n = 32, .k = 16}}, ckt::TileBlockGemm{
                    .warps              = {.m = 2, .n = 1, .k = 1},
                    .warp_tile          = {.m = 32, .n = 32, .k = 4},
                    .double_smem_buffer = false,
                    .num_wave_groups    = 1,
                    .pipeline_version   = ckb::PipelineVersion::V1,
                    .scheduler          = ckb::PipelineScheduler::INTERWAVE},
  ckt::TileTransfer{.a_scalar_per_vector = 1, 
                .b_scalar_per_vector = 1, .c_scalar_per_vector = 4},
  ckt::TileOptimizations{.num_groups_to_merge = 1, .split_image = false, .explicit_gemm = false, .two_stage = false}); // grouped_convolution_backward_data_tile_nhwgc_fp32_0
END

make_root
gen 0 --mode compilation
[ "$(wc -l <out)" = 5 ] || fail "mode compilation reads other lists"
sources
[ "$(find root/instances -type f -size -1c | wc -l)" = 36 ] || fail "mode compilation has an instance"

make_root
gen 0 --filter_pattern forward_tile_nhwgc
[ "$(wc -l <out)" = 5 ] || fail "a filter hides messages"
[ ! -s root/instances/backward_weight/$w.inc ] || fail "the filter lets another direction through"
[ -s root/instances/forward/$f.inc ] || fail "the filter holds back what it should let through"
make_root
gen 0 --filter_pattern ""
for list in backward_weight/$w forward/$f; do [ -s "root/instances/$list.inc" ] || fail "an empty filter holds something back"; done

# Where the script lies, and its own default for the sources.
mkdir -p there && mv root there/root
(cd there/root && "$cktune" gen --target cktile --quiet >/dev/null) || fail "no run from the script's folder"
[ -s there/build/experimental/grouped_convolution_tile_instances/forward/nhwgc_fp16/${f}_0.cpp ] || fail "another default folder"

# ---- what is wrong stops everything ----

nothing_written() {
  for place in root/instances made; do [ ! -e $place ] || fail "something was written to $place"; done
  [ ! -s out ] || fail "there are messages of a run that did nothing"
}

# All bad lines of all lists at once; --keep-going leaves them out.
make_root
sed -i 's/Filter3x3/Filter9x9/' root/configs/forward/profiler/nhwgc_fp16.conf
printf 'Device\n\n%s\n' "$(weight_two_stage v7 8)" >root/configs/backward_weight/profiler/nhwgc_fp32.conf
gen 2
nothing_written
says "root/configs/forward/profiler/nhwgc_fp16.conf:5:"
says "Filter9x9"
for line in 1 2 3; do says "root/configs/backward_weight/profiler/nhwgc_fp32.conf:$line:"; done
says "nothing was written: 0 files cannot be read, 4 lines are bad; --keep-going leaves bad lines out"
gen 0 --keep-going
says "nhwgc_fp16.conf:5:"
says "4 bad lines were left out"
sources "forward/nhwgc_fp16/${f}_0.cpp" "forward/nhwgc_fp16/${f}_2.cpp" "forward/nhwgc_fp16/${f}_6.cpp" \
  "backward_weight/ndhwgc_bf16/${w}_1.cpp"

# A specialization that nobody knows is met where sources are written, and nowhere else.
make_root
sed -i 's/Filter3x3/Filter9x9/' root/configs/forward/profiler/nhwgc_fp16.conf
gen 2
nothing_written
gen 0 --mode compilation
make_root
sed -i 's/Filter3x3/Filter9x9/' root/configs/forward/profiler/nhwgc_fp16.conf
gen 0 --filter_pattern backward

# All files that are missing or no text, at once.
make_root
rm root/configs/backward_data/profiler/nhwgc_bf16.conf root/include/signatures.hpp
printf 'fine\nbad \xff' >root/include/grouped_convolution_tile.cpp.in
gen 2 --keep-going
nothing_written
says "root/configs/backward_data/profiler/nhwgc_bf16.conf"
says "root/include/signatures.hpp"
says "root/include/grouped_convolution_tile.cpp.in:2:5:"
says "3 files cannot be read"

make_root
printf '\xff\n' >>root/configs/forward/profiler/nhwgc_bf16.conf
gen 2
nothing_written
says "nhwgc_bf16.conf:2:1:"

# A place that cannot be written.
make_root
touch made
gen 4
says "made"

# ---- what earlier runs left ----

make_root
gen 0
at=made/instances/forward/nhwgc_fp16
touch "$at/${f}_8.cpp" "$at/${f}_3.cpp" "$at/${f}_0.cpp.cktune-a1b2c3" # of an earlier list, of a run that was killed
touch -d "2 minutes ago" "$at/${f}_0.cpp.cktune-a1b2c3"
touch "$at/mine.cpp" "$at/${f}_0.hpp" "$at/${f}_08.cpp" "$at/${f}_.cpp" "$at/${f}_9.cpp~" "$at/x${f}_8.cpp" \
  "$at/${f}_99999999999999999999.cpp" "made/instances/${f}_8.cpp" "$at/${f}_0.cpp.cktune-run002" # not ours, or of another run at work
touch -d "2 minutes ago" "$at/${f}_0.cpp.backup" "$at/${f}_08.cpp.cktune-a1b2c3" "$at/${f}_0.cpp.cktune-OLDONE"
mkdir "$at/${f}_5.cpp"
gen 0
says "0 removed"
[ -e "$at/${f}_8.cpp" ] || fail "something was removed without --clean"
gen 0 --clean
says "3 removed"
for gone in _8.cpp _3.cpp _0.cpp.cktune-a1b2c3; do [ ! -e "$at/$f$gone" ] || fail "$f$gone is still there"; done
for kept in "$at/mine.cpp" "$at/${f}_0.hpp" "$at/${f}_08.cpp" "$at/${f}_.cpp" "$at/${f}_9.cpp~" "$at/x${f}_8.cpp" \
  "$at/${f}_99999999999999999999.cpp" "made/instances/${f}_8.cpp" "$at/${f}_5.cpp" "$at/${f}_0.cpp" \
  "$at/${f}_0.cpp.cktune-run002" "$at/${f}_0.cpp.backup" "$at/${f}_08.cpp.cktune-a1b2c3" "$at/${f}_0.cpp.cktune-OLDONE"; do
  [ -e "$kept" ] || fail "--clean removed $kept"
done

# Folders that lose their last source go, too; other directions are left alone.
make_root
gen 0
gen 0 --clean --direction backward_weight --filter_pattern nothing
[ ! -e made/instances/backward_weight ] || fail "an empty folder stays"
[ -e "$at/${f}_0.cpp" ] || fail "--clean went beyond its direction"
gen 0 --clean --mode tests
sources "backward_data/nhwgc_fp32/${d}_0.cpp"

# ---- options of the other target ----

run 2 gen --target cktile --output x
says "--output means nothing to --target cktile"
run 2 gen --target hip --output x --mode tests
says "--mode means nothing to --target hip"
run 2 gen --list --target hip
says "--target means nothing to --list"
for option in "--rules seed" "--rules hardware" "--format table" "--format jsonl"; do
  for target in cktile "hip --output x"; do
    # shellcheck disable=SC2086 # words
    run 2 gen --target $target $option
    says "${option% *} means nothing to --target ${target% --*}"
  done
done
run 2 gen --list --arch ""
says "--arch is empty, expected ARCH"
run 2 gen --target cktile --direction sideways
says "sideways"
run 2 gen --target cktile --mode all
says "compilation|tests|profiler"
