#!/usr/bin/env bash
# cktune gen --list: every line of a list in either form of output, by both sets of rules; all bad lines in one run;
# --keep-going; stdin; a list whose name has no data type.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

# plain SPECIALIZATION BLOCK VECTOR: a forward line.
plain() {
  echo "DeviceX<2,L,L,L,L,fp16,t,t,t,t,t,o,o,o,$1,pad,1,$2,64,64,32,8,8,32,32,2,2,Seq(4,16,1),o,o,2,$3,8,0,Seq(4,16,1),o,o,2,1,8,0,1,1,Seq(1,16,1,4),1,t,t,Default,1>"
}
# v3 VERSION: a forward line of the V3 kind.
v3() {
  echo "DeviceX_Xdl_CShuffle_V3<2,L,L,L,L,fp16,t,t,t,t,t,o,o,o,OddC,pad,256,128,128,32,8,8,32,32,2,2,s,o,o,2,8,8,0,s,o,o,2,8,8,0,1,1,s,8,Interwave,$1,t,t,false,2>"
}
{ plain Default 64 1; echo "# off"; plain Filter7x7 64 1; v3 v5; v3 v9; plain Default many 1; } >nhwgc_fp16.conf
list=(gen --list --direction forward --instances nhwgc_fp16.conf)

# By the seed's rules: v9 is a pipeline like any other, v5 is skipped.
run 2 "${list[@]}" --rules seed --format jsonl
jq -s -e 'map(.status) == ["instance", "comment", "error", "skipped", "instance", "error"]' out >/dev/null || fail "other statuses"
jq -s -e '.[0] == {"line": 0, "status": "instance", "specialization": "Default", "specialization_enum": "DEFAULT",
  "tile": [64, 64, 32], "warps": [1, 1, 1], "warp_tile": [32, 32, 8], "double_smem_buffer": false, "num_wave_groups": 1,
  "pipeline": "V1", "scheduler": "INTRAWAVE", "vector": [1, 1, 1], "num_groups_to_merge": 1, "split_image": false,
  "explicit_gemm": false, "two_stage": false}' out >/dev/null || fail "another first record"
jq -s -e '.[2] == {"line": 2, "status": "error", "stage": "generate", "error": "RuntimeError",
  "reason": "not supported specialization", "specialization": "Filter7x7"}' out >/dev/null || fail "another third record"
jq -s -e '.[3].reason == "Skipping instance 3 with V5 since it'"'"'s not supported yet." and .[4].pipeline == "V9"
  and .[4].scheduler == "INTERWAVE" and .[4].num_groups_to_merge == 2 and .[5].error == "ValueError"' out >/dev/null || fail "other records"
says 'nhwgc_fp16.conf:3:40: the convolution specialization is "Filter7x7", expected Default'
says 'nhwgc_fp16.conf:6:54: argument 17 (block size) is "many", expected a whole number'

# By the hardware's: all bad lines in one run, with --keep-going their number.
run 2 "${list[@]}" --format jsonl
jq -s -e 'map(.status) == ["instance", "comment", "error", "instance", "error", "error"] and .[0].key != null
  and .[3].pipeline == "V5" and .[4].column == 140' out >/dev/null || fail "other statuses by the hardware's rules"
says 'nhwgc_fp16.conf:3:40: '
says 'nhwgc_fp16.conf:5:140: the pipeline version is "v9", expected v1, v2, v3, v4 or v5'
says 'nhwgc_fp16.conf:6:54: '
run 0 "${list[@]}" --keep-going
says '3 bad lines were left out'
[ "$(grep -c ' instance  direction=forward dtype=fp16' out)" = 2 ] || fail "two instances expected"

# What ends a line and what is blank are matters of the rules.
printf '\xef\xbb\xbf%s\r\n\r%s # why\n\n' "$(plain Default 64 1)" "$(plain OddC 64 8)" >nhwgc_fp16.conf
run 0 "${list[@]}" --format jsonl
jq -s -e 'map(.status) == ["instance", "comment", "instance", "comment"] and .[2].specialization == "OddC"' out >/dev/null ||
  fail "line ends, blank lines or the comment are not read"
run 2 "${list[@]}" --format jsonl --rules seed
jq -s -e 'map(.status) == ["instance", "error", "comment", "error"] and .[1].error == "ValueError"' out >/dev/null ||
  fail "the seed's rules read blank lines or comments otherwise"

# stdin, and the data type of a list that no name tells.
plain Default 64 1 >lines
status=0
"$cktune" "${list[@]/nhwgc_fp16.conf/-}" --rules seed --format jsonl <lines >out 2>err || status=$?
[ "$status" = 2 ] || fail "a list without a data type ends with $status"
holds '.reason == "Cannot parse data type from problem name: grouped_convolution_forward_tile_-" and .error == "RuntimeError"'
"$cktune" "${list[@]/nhwgc_fp16.conf/-}" --rules seed --format jsonl --dtype fp32 <lines >out 2>err || fail "a list of stdin is refused"
holds '.status == "instance" and .warp_tile == [32, 32, 8]'

# Messages of stdin have one name for it; a list has an end.
status=0
echo what | "$cktune" gen --target hip --output none --direction forward --dtype fp16 --instances - >out 2>err || status=$?
[ "$status" = 2 ] || fail "a bad line of stdin ends with $status"
says 'stdin:1:1: '
says 'stdin has 1 bad line'
"$cktune" gen --target hip --output none --direction forward --dtype fp16 --instances - </dev/null >out 2>err && fail "no line is enough"
says 'stdin holds no instance'
head -c 1000001 /dev/zero | tr '\0' '\n' >nhwgc_fp16.conf
run 2 "${list[@]}"
says 'nhwgc_fp16.conf has more than the 1000000 lines that are read of a list'
head -c 1000000 /dev/zero | tr '\0' '\n' >nhwgc_fp16.conf
run 0 "${list[@]}"
awk 'BEGIN { for (i = 0; i <= 200000; i++) print "tile=64x64x32 warps=2x2x1 warp_tile=32x32x8 vector=8,8,8 pipeline=v1" }' >nhwgc_fp16.conf
run 2 gen --target hip --output none --direction forward --instances nhwgc_fp16.conf
says 'nhwgc_fp16.conf has 200001 instances, expected at most 200000'
[ ! -e none ] || fail "something was written"

# The short form is known for what it is.
echo 'DeviceGroupedConvFwdMultipleABD_Xdl_CShuffle<256, 128, 128, 32, Default, 32, 32, 2, 2, 8, 8, 8, 1, 1>' >nhwgc_fp16.conf
run 2 "${list[@]}"
says 'nhwgc_fp16.conf:1:1: the instance is in the short form'
run 2 "${list[@]/nhwgc_fp16.conf/missing.conf}"
says 'missing.conf'

# It finds the lines that it may have come from.
{ plain Default 64 1; plain OddC 64 8; plain Filter3x3 64 1; } >nhwgc_fp16.conf
run 0 gen --target hip --output sources --direction forward --instances nhwgc_fp16.conf --quiet \
  --filter 'DeviceGroupedConvFwdMultipleABD_Xdl_CShuffle<64, 64, 64, 32, Default, 32, 32, 2, 2, 8, 1, 1, 1, 1>'
[ "$(jq -c '[.instances[].id]' sources/manifest.json)" = '[1]' ] || fail "the short form finds $(jq -c '[.instances[].id]' sources/manifest.json)"
