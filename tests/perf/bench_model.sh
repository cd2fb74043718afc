#!/usr/bin/env bash
# What the time model says of shipped instances, and what it costs: TFLOP/s, share of the matrix rate and limits by
# HIPSIM_PROFILE, and the host's seconds.
#
#   bench_model.sh BUILD_FOLDER
set -euo pipefail
build=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch AMD_COMGR_CACHE=0
unset CKTUNE_DB CKTUNE_CACHE CKTUNE_UPLOAD_URL CKTUNE_UPLOAD_TOKEN

for arch in gfx908 gfx90a; do
  echo "# model: shipped tests list on $arch, fp16, 32,128,128,28,28,3,3,1,1,1,1, fastest first"
  rm -f "$scratch/profile"
  HIPSIM_CHECK=0 HIPSIM_PROFILE=$scratch/profile "$build/bin/cktune" --device "sim:$arch" --quiet --format json \
    --db "$scratch/$arch.db" --cache-dir "$scratch/cache" --problem 32,128,128,28,28,3,3,1,1,1,1 --instances tests \
    >"$scratch/$arch.json" || true
  jq -r '.problems[0] | .candidates[] | select(.status == "measured")
    | [(.time_ms * 1000 | round), (.tflops * 100 | round / 100), .line // .instance] | @tsv' "$scratch/$arch.json" |
    head -n 40 | awk -F '\t' '{ printf "%8d us %8.2f TFLOP/s  %s\n", $1, $2, $3 }'
  jq -r -s 'map(select(.classes.mfma > 0)) | sort_by(.time_us) | .[]
    | [.time_us, .mfma_share, .bound, .occupancy.workgroups_cu, .occupancy.limiter, .lds.conflict_clocks / (.lds.clocks + 1)]
    | @tsv' "$scratch/profile" | uniq |
    awk -F '\t' '{ printf "%8d us  matrix %4.1f %%  bound by %s, %d workgroups a CU (%s), LDS conflicts %4.1f %%\n",
                   $1, 100 * $2, $3, $4, $5, 100 * $6 }' | head -n 40
  echo
done
