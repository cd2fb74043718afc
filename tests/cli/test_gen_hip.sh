#!/usr/bin/env bash
# cktune gen --target hip: one source for each kernel there is, a manifest of all instances, the very source that a sweep
# compiles; what is right is left alone; wrong lists and options write nothing.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
base="warps=2x2x1 warp_tile=16x16x16 vector=8,8,8"
printf '# a comment\ntile=32x32x64 %s\ntile=64x64x32 %s spec=filter3x3\ntile=64x64x32 %s pipeline=v6\n' "$base" "$base" "$base" >nhwgc_bf16.conf

holds_manifest() {
  jq -e "$1" sources/manifest.json >/dev/null || fail "the manifest does not hold: $1"
}

run 0 gen --target hip --output sources --direction forward --instances nhwgc_bf16.conf
stem=grouped_convolution_forward_tile_nhwgc_bf16
[ "$(cd sources && find . -type f | sort | tr '\n' ' ')" = \
  "./forward/nhwgc_bf16/${stem}_1.hip ./forward/nhwgc_bf16/${stem}_2.hip ./manifest.json " ] || fail "other files: $(find sources)"
holds_manifest '.schema == 1 and .target == "hip" and .kernel == "ckt_conv" and (.instances | map(.id)) == [1, 2, 3]'
holds_manifest ".instances[1] | .name == \"${stem}_2\" and .line == \"tile=64x64x32 $base spec=filter3x3\" and .status == \"generated\"
  and .source == \"forward/nhwgc_bf16/${stem}_2.hip\" and .reason == null and (.archs | length) == 4"
holds_manifest '.instances[1].parameters | .dtype == "bf16" and .spatial == 2 and .tile == [64, 64, 32] and .vector == [8, 8, 8]
  and .spec == "filter3x3" and .split_image == false and .block_size == 256 and length == 20'
holds_manifest '.instances[2] | .status == "not_applicable" and .source == null and .archs == [] and (.reason | contains("v6"))'
[ "$(head -n 1 "sources/forward/nhwgc_bf16/${stem}_1.hip")" = "// $(jq -r '.instances[0].key' sources/manifest.json)" ] ||
  fail "the source begins with another key"

# The source is the one that a sweep compiles.
run 0 --problem 1,32,32,6,6,3,3,1,1,1,1 --dtype bf16 --instances nhwgc_bf16.conf --filter tile=32x32 --device "sim:$arch" \
  --cache-dir cache --quiet
cmp -s "$(find cache -name '*.hip')" "sources/forward/nhwgc_bf16/${stem}_1.hip" || fail "a sweep compiles another source"

# So does hipcc, where there is one that works.
device_code() { # SOURCE: to a.co
  hipcc --cuda-device-only --offload-arch="$arch" -O3 -std=c++17 -include hip/hip_runtime.h -I "$build/share/cktune/kernels" \
    -c "$1" -o a.co
}
echo '__global__ void nothing() {}' >nothing.hip
if command -v hipcc >/dev/null && device_code nothing.hip >/dev/null 2>&1; then
  device_code "sources/forward/nhwgc_bf16/${stem}_2.hip" >out 2>err || fail "hipcc does not compile a source"
  grep -q ckt_conv a.co || fail "hipcc makes no kernel of a source"
fi

# Again: nothing is touched. One line changes: one source does.
find sources -type f -exec touch -d '2001-01-01' {} +
run 0 gen --target hip --output sources --direction forward --instances nhwgc_bf16.conf
says "0 sources written, 2 as they were"
[ -z "$(find sources -type f -newermt 2001-01-02)" ] || fail "a file that was right was written"
sed -i 's/ spec=filter3x3//' nhwgc_bf16.conf
run 0 gen --target hip --output sources --direction forward --instances nhwgc_bf16.conf
[ "$(find sources -name '*.hip' -newermt 2001-01-02)" = "sources/forward/nhwgc_bf16/${stem}_2.hip" ] || fail "other files changed"

# Directions without kernels, and one architecture: said for each instance, and no source.
run 0 gen --target hip --output sources --direction bwd --instances nhwgc_bf16.conf --filter 64x64x32
holds_manifest '.instances | length == 2 and all(.status == "not_applicable" and (.reason | contains("backward_data")))'
[ ! -e sources/backward_data ] || fail "a source without a kernel was written"

# 98304 bytes of LDS: a matter of the architecture.
echo "tile=256x128x128 warps=4x2x1 warp_tile=16x16x16 vector=8,8,8" >large.conf
run 0 gen --target hip --output large --direction forward --dtype bf16 --instances large.conf
[ "$(jq -c '.instances[0].archs' large/manifest.json)" = '["gfx950"]' ] || fail "the architectures are wrong"
run 0 gen --target hip --output small --direction forward --dtype bf16 --instances large.conf --arch gfx90a
jq -e '.instances[0] | .status == "not_applicable" and .archs == [] and (.reason | contains("98304"))' small/manifest.json >/dev/null ||
  fail "--arch is not heeded"
[ ! -e small/forward ] || fail "a source that gfx90a cannot have was written"

# --clean removes what the manifest of the run before names and the new one does not, and nothing else.
run 0 gen --target hip --output clean --direction forward --instances nhwgc_bf16.conf
echo mine >"clean/forward/nhwgc_bf16/mine.hip"
run 0 gen --target hip --output clean --direction forward --instances nhwgc_bf16.conf --filter 64x64x32 --clean
says "1 removed"
[ "$(cd clean/forward/nhwgc_bf16 && echo *)" = "${stem}_2.hip mine.hip" ] || fail "other files: $(ls clean/forward/nhwgc_bf16)"
touch clean/outside.hip outside.hip
mkdir -p clean/forward/x clean/src
for theirs in clean/src/kernel.hip "clean/src/${stem}_1.hip" "clean/forward/x/${stem}_1.hip" "clean/forward/nhwgc_bf16/${stem}.hip" \
  "clean/forward/nhwgc_bf16/${stem}_.hip" "clean/forward/nhwgc_bf16/${stem}_1_.hip" "clean/forward/nhwgc_bf16/${stem}_1_2_3.hip"; do
  touch "$theirs"
  jq --arg source "${theirs#clean/}" '.instances += [{"source": $source}]' clean/manifest.json >changed && mv changed clean/manifest.json
  echo "$theirs" >>theirs
done
jq '.instances += [{"source": "../outside.hip"}, {"source": "/'"$scratch"'/outside.hip"}, {"source": "outside.hip.x"}, {"source": 5}, {}, 7]' \
  clean/manifest.json >changed && mv changed clean/manifest.json
rm clean/forward/nhwgc_bf16/mine.hip
run 0 gen --target hip --output clean --direction backward_weight --instances nhwgc_bf16.conf --clean
while read -r kept; do
  [ -e "$kept" ] || fail "--clean removed $kept"
  rm "$kept"
done <theirs
[ "$(find clean -name '*.hip')" = clean/outside.hip ] || fail "a source of ours stays"
rmdir clean/forward/x clean/forward/nhwgc_bf16 clean/forward clean/src
run 0 gen --target hip --output clean --direction forward --instances nhwgc_bf16.conf --clean
run 0 gen --target hip --output clean --direction backward_weight --instances nhwgc_bf16.conf --clean
[ ! -e clean/forward ] || fail "a folder that became empty stays"

# What could not be removed is known to the next run.
run 0 gen --target hip --output kept --direction forward --instances nhwgc_bf16.conf
rm "kept/forward/nhwgc_bf16/${stem}_1.hip"
mkdir "kept/forward/nhwgc_bf16/${stem}_1.hip"
run 4 gen --target hip --output kept --direction forward --instances nhwgc_bf16.conf --filter 64x64x32 --clean
says "cannot remove"
rmdir "kept/forward/nhwgc_bf16/${stem}_1.hip"
touch "kept/forward/nhwgc_bf16/${stem}_1.hip"
run 0 gen --target hip --output kept --direction forward --instances nhwgc_bf16.conf --filter 64x64x32 --clean
says "1 removed"
for kept in outside.hip clean/outside.hip clean/manifest.json; do [ -e "$kept" ] || fail "--clean removed $kept"; done
echo '{"target": "other"}' >clean/manifest.json
run 2 gen --target hip --output clean --direction forward --instances nhwgc_bf16.conf --clean
says "no manifest of cktune"
[ ! -e clean/forward ] || fail "something was written beside a manifest that is not ours"

# A run that was killed leaves temporary files; those of a run at work stay.
left="kept/forward/nhwgc_bf16/${stem}_2.hip.cktune-abc123"
at_work="kept/forward/nhwgc_bf16/${stem}_2.hip.cktune-def456"
theirs="kept/forward/nhwgc_bf16/mine.hip.cktune-abc123"
touch "$at_work"
touch -d "2 minutes ago" "$left" "$theirs"
run 0 gen --target hip --output kept --direction forward --instances nhwgc_bf16.conf
[ -e "$left" ] || fail "something was removed without --clean"
run 0 gen --target hip --output kept --direction forward --instances nhwgc_bf16.conf --clean
says "1 removed"
[ ! -e "$left" ] || fail "what a killed run left is still there"
for kept in "$at_work" "$theirs"; do [ -e "$kept" ] || fail "--clean removed $kept"; done

# The shipped lists, all of them; no option but the folder.
run 0 gen --target hip --output all --instances tests
[ "$(find all -name '*.hip' | wc -l)" = "$(jq '[.instances[] | select(.status == "generated")] | length' all/manifest.json)" ] ||
  fail "sources and manifest differ"
[ "$(jq '[.instances[].parameters.dtype] | unique | length' all/manifest.json)" = 3 ] || fail "not all data types"

# Nothing is written when something is wrong, and all of it is told; --keep-going leaves it out.
printf 'tile=what\ntile=32x32x64 %s\nfoo=1\n' "$base" >bad.conf
run 2 gen --target hip --output none --direction forward --instances bad.conf
says "bad.conf:1:"
says "bad.conf:3:"
run 0 gen --target hip --output good --direction forward --instances bad.conf --keep-going
says "bad.conf:3:"
says "2 bad lines were left out"
[ "$(jq -c '.instances | map(.id)' good/manifest.json)" = "[1]" ] || fail "--keep-going keeps other lines"

# Points of a space have the number of their line and their own.
echo "tile={32,64}x32x64 $base" >space.conf
run 0 gen --target hip --output space --direction forward --dtype bf16 --instances space.conf
[ "$(jq -c '.instances | map([.id, .point, .name])' space/manifest.json)" = "[[0,0,\"${stem}_0_0\"],[0,1,\"${stem}_0_1\"]]" ] ||
  fail "other points: $(cat space/manifest.json)"
[ -e "space/forward/nhwgc_bf16/${stem}_0_1.hip" ] || fail "a point has no source"
run 2 gen --target hip --output none --instances nhwgc_bf16.conf
says "--direction forward, backward_data or backward_weight"
run 2 gen --target hip --output none --instances tests --filter nothing-is-called-so
says "--filter"
run 2 gen --target hip --output none --arch gfx1
says "gfx1"
run 2 gen --target hip
says "--output DIR"
run 2 gen
says "--target"
run 2 gen --target hip --output none word
says "'word'"
[ ! -e none ] || fail "something was written"
touch file
run 4 gen --target hip --output file --instances tests
says "file"
