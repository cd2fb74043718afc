#!/usr/bin/env bash
# On a convolution that keeps all CUs at work, modelled time puts a tile of 128x128 far in front of one of 16x16, and
# two runs agree to the digit, whatever the number of threads.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

cat >two.conf <<'CONF'
tile=128x128x32 warps=2x2x1 warp_tile=32x32x8 vector=8,8,8 pipeline=v1
tile=16x16x64 warps=1x1x1 warp_tile=16x16x16 vector=8,8,4 pipeline=v1
CONF

export HIPSIM_CHECK=0 HIPSIM_MFMA=fast
for threads in 1 2; do
  HIPSIM_THREADS=$threads run 0 tune --device sim:gfx90a --quiet --format json --db "$threads.db" --cache-dir cache \
    --problem 32,128,128,28,28,3,3,1,1,1,1 --instances two.conf
  jq -c '.problems[0].candidates | map({key, status, time_ms}) | sort_by(.time_ms)' out >"$threads.json"
done
cmp 1.json 2.json >/dev/null || fail "two runs disagree: $(cat 1.json) and $(cat 2.json)"
jq -e 'all(.status == "measured")' 1.json >/dev/null || fail "not all were measured: $(cat 1.json)"
jq -e '(.[0].key | contains("tile=128x128x32")) and .[1].time_ms > 1.5 * .[0].time_ms' 1.json >/dev/null ||
  fail "the large tile is not far in front: $(cat 1.json)"
