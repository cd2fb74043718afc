#!/usr/bin/env bash
# A space of 1,048,576 points, filtered by its condition and by the rules of the hardware: time and peak memory of going
# through it, of printing the few points that are kept, and of printing all with the rules they break.
#
#   bench_gen_space.sh BUILD_FOLDER
set -euo pipefail
build=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

space="tile={16..256+16}x{16..256+16}x{16,32,64,128} warps={1,2,4,8}x{1,2,4,8}x1 \
warp_tile={16x16x16,16x16x32,32x32x8,32x32x16} vector={1,2,4,8},{1,2,4,8},8 where tile_m*tile_n <= 32768 and lds <= 65536"

# bench WHAT CONDITION OPTION...
bench() {
  local what=$1
  echo "$space$2" >nhwgc_fp16.conf
  shift 2
  /usr/bin/time -o "$scratch/cost" -f '%U s of CPU, %e s, %M KiB at most' \
    "$build/bin/cktune" gen --list --direction forward --instances nhwgc_fp16.conf --quiet "$@" >"$scratch/shown"
  printf '%-40s %8d lines: %s\n' "$what" "$(wc -l <"$scratch/shown")" "$(cat "$scratch/cost")"
}
echo "# a space of 1048576 points"
bench "gone through twice, nothing kept" " and split_k > 1"
bench "kept points printed" ""
bench "all points printed with their rule" "" --why
