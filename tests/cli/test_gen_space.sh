#!/usr/bin/env bash
# Spaces from outside: cktune gen --list shows their points, --why those that are left out with the rule; numbers stay
# when a line is added; a device decides; a sweep takes the points that are kept; faults have line and column.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

cat >nhwgc_fp16.conf <<'END'
# a space, a plain line, a space with a condition
tile={64,96}x{64,128}x32 warps=2x2x1 warp_tile=32x32x8 vector=8,8,8
tile=32x32x64 warps=2x2x1 warp_tile=16x16x16 vector=8,8,8
tile={128,256}x256x128 warps=4x2x1 warp_tile=32x32x8 vector={8,16},8,8 where vector_a != 16 or tile_m > 128
END
list=(gen --list --direction forward --instances nhwgc_fp16.conf --format jsonl)

# 1.2 and 1.3: 96 is not a multiple of 64; 3.1: the condition; 3.3: no access moves 16 elements.
points='map(select(.status != "comment") | "\(.line).\(.point // "-") \(.rule // .status)")'
run 0 "${list[@]}"
jq -s -e "$points"' == ["1.0 instance", "1.1 instance", "2.- instance", "3.0 instance", "3.2 instance"]' out >/dev/null || fail "other points"
jq -s -e '.[1].tile == [64, 64, 32] and .[2].tile == [64, 128, 32]' out >/dev/null || fail "other tiles"
run 0 "${list[@]}" --why
jq -s -e "$points"' == ["1.0 instance", "1.1 instance", "1.2 tile_is_whole", "1.3 tile_is_whole", "2.- instance", "3.0 instance", "3.1 where",
  "3.2 instance", "3.3 vector_width"]' out >/dev/null || fail "other points with --why"
jq -s -e '.[3].reason == "tile M of 96 is not a multiple of 64 (2 waves x warp tile 32)" and (.[3].key | contains(" tile=96x64x32 "))' out >/dev/null ||
  fail "another reason"
says "nhwgc_fp16.conf:2: 4 points, 2 kept, 2 left out by tile_is_whole"
says "nhwgc_fp16.conf:4: 4 points, 2 kept, 1 left out by where, 1 left out by vector_width"
run 0 "${list[@]//jsonl/table}" --why
grep -q '^ *1\.2  rejected  tile_is_whole: tile M of 96 ' out || fail "no row of a point that is left out"
grep -q '^ *3\.2  instance  direction=forward .* tile=256x256x128 ' out || fail "no row of a point that is kept"

# 128 KiB and 192 KiB of LDS: more than gfx942 has.
run 0 "${list[@]}" --why --arch gfx942
jq -s -e "$points"' | .[5:] == ["3.0 lds", "3.1 where", "3.2 lds", "3.3 vector_width"]' out >/dev/null || fail "gfx942 has more LDS than it has"
run 2 "${list[@]}" --arch gfx1234
says "gfx1234"
run 2 gen --why --target hip --output none
says "--why means nothing to --target hip"

# What is added below changes no number, nor does another condition.
cp nhwgc_fp16.conf old.conf
run 0 "${list[@]}"
sed -i '4s/where .*/where tile_m != 128/; $a tile={16,32}x16x64 warps=1x1x1 warp_tile=16x16x16 vector=8,8,4' nhwgc_fp16.conf
run 0 "${list[@]}"
jq -s -e "$points"' == ["1.0 instance", "1.1 instance", "2.- instance", "3.2 instance", "4.0 instance", "4.1 instance"]' out >/dev/null || fail "numbers moved"
cp old.conf nhwgc_fp16.conf

# A sweep compiles and runs the points that are kept, by their names.
run 0 --problem 1,32,32,6,6,3,3,1,1,1,1 --instances nhwgc_fp16.conf --filter _fp16_1 --device sim:gfx90a --format json
holds '.problems[0].counts | .listed == 2 and .not_applicable + .measured == 2'
holds '[.problems[0].candidates[] | .instance] | sort == ["grouped_convolution_forward_tile_nhwgc_fp16_1_0", "grouped_convolution_forward_tile_nhwgc_fp16_1_1"]'
holds '.problems[0].candidates | map(.line) | sort == ["tile=64x128x32 warps=2x2x1 warp_tile=32x32x8 vector=8,8,8", "tile=64x64x32 warps=2x2x1 warp_tile=32x32x8 vector=8,8,8"]'

# So do sources, whose manifest tells the points of a line apart.
run 0 gen --target hip --output sources --direction forward --instances nhwgc_fp16.conf --arch gfx90a
jq -e '[.instances[] | "\(.id).\(.point // "-") \(.status)"] == ["1.0 generated", "1.1 generated", "2.- generated", "3.0 not_applicable", "3.2 not_applicable"]
  and (.instances[0].name | endswith("_fp16_1_0"))' sources/manifest.json >/dev/null || fail "another manifest"

# wrong LINE COLUMN MESSAGE
wrong() {
  printf '# heading\n%s\n' "$1" >nhwgc_fp16.conf
  run 2 "${list[@]}"
  says "nhwgc_fp16.conf:2:$2: $3"
}
rest="warps=2x2x1 warp_tile=32x32x8 vector=8,8,8"
wrong "tile={64,x}x64x32 $rest" 10 '"x" is read, expected a number as in 64 or a range as in 1..4, 32..128+32 or 32..256*2'
wrong "tile={64,128x64x32 $rest" 6 "'{' is not closed"
wrong "tile=64x64x32 $rest where tile_m" 64 '"tile_m" is a number, expected what is true or false'
wrong "tile=64x64x32 $rest where lds / (tile_m - 64) > 0" 68 '"/" cannot be computed: the divisor is 0'
