#!/usr/bin/env bash
# cktune gen --list --rules seed on every list of the shared data: each record as Composable Kernel's generator gives it.
#   test_gen_golden.sh BUILD_FOLDER SHARED_FOLDER
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
data=$2/ck
[ -d "$data/golden" ] || exit 77

# Python's own words need not be ours; all other words must be.
comparable='if .error == "ValueError" or .error == "IndexError" or .error == "ZeroDivisionError"
  then .reason = (.reason | length > 10) else . end'
records=0

# compare STATUS DIRECTION LIST RECORDS
compare() {
  run "$1" gen --list --format jsonl --rules seed --direction "$2" --instances "$3"
  cmp -s <(jq -cS "$comparable" out) <(jq -cS "$comparable" "$4") ||
    fail "$3 gives other records than $4: $(diff <(jq -cS "$comparable" out) <(jq -cS "$comparable" "$4") | head -n 4)"
  records=$((records + $(wc -l <"$4")))
}

for direction in forward backward_weight backward_data; do
  for mode in profiler tests; do
    for list in "$data/configs/$direction/$mode"/*.conf; do
      compare 0 $direction "$list" "$data/golden/${direction}_${mode}_$(basename "$list" .conf).jsonl"
    done
  done
  compare 2 $direction "$data/errors/${direction}_nhwgc_fp16.conf" "$data/errors/${direction}_nhwgc_fp16.jsonl"
done
[ "$records" = 2856 ] || fail "there were $records records, expected 2832 of lists and 24 with errors"
