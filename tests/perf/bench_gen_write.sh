#!/usr/bin/env bash
# Writing Composable Kernel's profiler lists as CK Tile sources (2,016 files, 16 MB): new files, and again with all of them right.
# Beside it, in turns, the script that this stands in for, where CKTUNE_GENERATE_INSTANCES names a copy of
# generate_instances.py and python3 is there. The best of several turns counts: others use the machine, too.
#
#   bench_gen_write.sh BUILD_FOLDER [LISTS_FOLDER]
set -euo pipefail
build=$(cd "$1" && pwd)
lists=${2:-$(cd "$(dirname "$0")/../.." && pwd)/../shared/ck/configs}
script=${CKTUNE_GENERATE_INSTANCES:-}
turns=${CKTUNE_BENCH_TURNS:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo "# gen write: the profiler lists of $lists as CK Tile sources"
if [ ! -e "$lists/forward/profiler" ]; then
  echo "skipped: no lists there"
  exit
fi

mkdir -p "$scratch/root/include"
cp -r "$lists" "$scratch/root/configs"
for copy in instance_includes.inc instance_run.inc signatures.hpp; do echo "// $copy" >"$scratch/root/include/$copy"; done
# As large as the real one: 8 kB.
{
  printf '%s\n' '// gen_instance_name' 'gen_signature gen_specialization gen_thread_block' 'gen_block_gemm_desc gen_block_transfer gen_optimizations'
  for _ in $(seq 70); do printf '// %96s\n' "gen_signature"; done
} >"$scratch/root/include/grouped_convolution_tile.cpp.in"
[ -z "$script" ] || cp "$script" "$scratch/root/generate_instances.py"

# measure NAME COMMAND...: seconds of wall clock, user and system, and KiB of memory at its height, a line in NAME.
measure() {
  local name=$1
  shift
  sync
  /usr/bin/time -a -o "$scratch/$name" -f '%e %U %S %M' "$@" >/dev/null
}

# Every turn has folders of its own, removed at the end: ext4 searches long for an inode where many were just removed.
for turn in $(seq "$turns"); do
  for root in ours theirs; do
    mkdir -p "$scratch/$turn/$root"
    cp -r "$scratch/root" "$scratch/$turn/$root/root"
  done
  measure new "$build/bin/cktune" gen --quiet --target cktile --root "$scratch/$turn/ours/root" --instances_dir "$scratch/$turn/ours/out"
  measure again "$build/bin/cktune" gen --quiet --target cktile --root "$scratch/$turn/ours/root" --instances_dir "$scratch/$turn/ours/out"
  [ -z "$script" ] || measure script python3 "$scratch/$turn/theirs/root/generate_instances.py" --instances_dir "$scratch/$turn/theirs/out"
done
[ -z "$script" ] || diff -r "$scratch/1/ours" "$scratch/1/theirs"

report() { # NAME WHAT
  sort -n "$scratch/$1" | head -n 1 | awk -v what="$2" '{ wall = $1 }
    END { printf "%-34s %6.2f s", what, wall }'
  awk '{ cpu = $2 + $3; if (NR == 1 || cpu < best) best = cpu; if ($4 > peak) peak = $4 }
    END { printf " %6.2f s of CPU %7.1f MiB at most\n", best, peak / 1024 }' "$scratch/$1"
}
report new "cktune, new files"
report again "cktune, all of them right"
if [ -n "$script" ]; then report script "generate_instances.py"; else echo "no script to compare with: CKTUNE_GENERATE_INSTANCES is not set"; fi
