#!/usr/bin/env bash
# How fast the program works: instances compiled per second with one and two compile workers (cold cache), and simulated
# GFLOP/s of a 128x128x32 fp16 instance on one and two threads.
#
#   bench_sweep.sh BUILD_FOLDER
set -euo pipefail
build=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch AMD_COMGR_CACHE=0
unset CKTUNE_DB CKTUNE_CACHE CKTUNE_UPLOAD_URL CKTUNE_UPLOAD_TOKEN

tune() { # name, then options: one sweep with its own store, JSON in $scratch/name.json
  local name=$1
  shift
  "$build/bin/cktune" --device sim:gfx90a --quiet --format json --db "$scratch/$name.db" "$@" >"$scratch/$name.json"
}

calculate() { # an arithmetic expression of plain numbers
  awk "BEGIN { print $1 }"
}

seconds() { # run a command, print how long it took
  local start end
  start=$(date +%s.%N)
  "$@"
  end=$(date +%s.%N)
  calculate "$end - $start"
}

echo "# compile: the shipped tests list, fp16, 2,64,64,14,14,3,3,1,1,1,1"
shape=2,64,64,14,14,3,3,1,1,1,1
for jobs in 1 2; do
  cold=$(seconds tune "cold$jobs" --problem "$shape" --instances tests --jobs "$jobs" --cache-dir "$scratch/cache$jobs")
  warm=$(seconds tune "warm$jobs" --problem "$shape" --instances tests --jobs "$jobs" --cache-dir "$scratch/cache$jobs")
  compiled=$(jq '.problems[0].counts.compiled' "$scratch/cold$jobs.json")
  printf 'jobs %d: %d instances, cold %.1f s, warm %.1f s, %.2f compiled a second\n' "$jobs" "$compiled" "$cold" "$warm" \
    "$(calculate "$compiled / ($cold - $warm)")"
done

echo
echo "# simulate: 128x128x32 fp16, 2x2 waves, vector 8, 8,128,128,28,28,3,3,1,1,1,1"
echo 'tile=128x128x32 warps=2x2x1 warp_tile=32x32x8 vector=8,8,8' >"$scratch/one.conf"
shape=8,128,128,28,28,3,3,1,1,1,1
for check in 1 0; do
  for threads in 1 2; do
    name=sim$check$threads
    HIPSIM_THREADS=$threads HIPSIM_CHECK=$check tune "$name" --problem "$shape" --instances "$scratch/one.conf" \
      --cache-dir "$scratch/cache1"
    gflop=$(jq '.problems[0].flops / 1e9' "$scratch/$name.json")
    launch=$(jq '.problems[0].candidates[0].launch_seconds' "$scratch/$name.json")
    printf 'strict %s, threads %d: %.2f GFLOP in %.3f s, %.2f GFLOP/s\n' "$check" "$threads" "$gflop" "$launch" \
      "$(calculate "$gflop / $launch")"
  done
done
