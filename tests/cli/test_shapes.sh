#!/usr/bin/env bash
# One dtype over every way a convolution can be odd (configs/problems/smoke.txt): each instance of the tests list that
# applies is measured and verified, the others say why not.
#   test_shapes.sh BUILD_FOLDER DTYPE
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

run 0 --problems "$build/share/cktune/configs/problems/smoke.txt" --instances tests --dtype "$2" --device "sim:$arch" \
  --format json --quiet
holds '(.problems | length) == 10 and (.problems | all(.status == "ok"))'
holds '.problems | all(.counts.measured + .counts.not_applicable == .counts.listed)'
holds '[.problems[].candidates[] | select(.status == "measured")] | length > 200 and all(.error_ratio <= 1)'
holds '[.problems[].candidates[] | select(.status == "not_applicable")] | all(.reason != "")'
