#!/usr/bin/env bash
# Composable Kernel's forward test list of one dtype, as it is: every V1 line without merged groups or split image ends as
# measured, or as not applicable because of the shape; the others are not applicable with the reason.
#   test_ck_lists.sh BUILD_FOLDER DTYPE SHARED_FOLDER
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
list=$3/ck/configs/forward/tests/nhwgc_$2.conf
[ -e "$list" ] || exit 77

# 3x3 and 1x1, channels for every vector; odd channels for vector 1 alone.
run 0 --problem 1,64,64,9,9,3,3,1,1,1,1 --problem 2,32,32,8,8,1,1 --problem 2,32,32,8,8,1,1,2,2 --problem 1,7,5,9,9,3,3,1,1,1,1 \
  --instances "$list" --dtype "$2" --device "sim:$arch" --format json --quiet
holds '.problems | all(.status == "ok" and .counts.measured + .counts.not_applicable == .counts.listed)'
holds '[.problems[].candidates[] | select(.status == "measured")] | length >= 20 and all(.error_ratio <= 1)'

# Every line that this stage can build is measured on one of the shapes; nothing else is left without its reason.
v1='select(.key | contains("pipeline=v1 ") and contains("num_groups_to_merge=1 ") and contains("split_image=false "))'
jq -e '.problems[0].candidates[0].key | contains("num_groups_to_merge=") and contains("split_image=")' out >/dev/null ||
  fail "the instance key has other fields than this test looks for: $(jq -r '.problems[0].candidates[0].key' out)"
holds "[.problems[].candidates[] | $v1] | group_by(.key) | length >= 10 and all(any(.status == \"measured\"))"
holds '[.problems[].candidates[] | select(.status == "not_applicable")] | all(.reason != "")'

# The lists of the other directions are read too; what has no kernel says so.
for direction in backward_weight backward_data; do
  status=0
  "$cktune" --problem 1,64,64,9,9,3,3,1,1,1,1 --direction $direction --instances "$3/ck/configs/$direction/tests/nhwgc_$2.conf" \
    --dtype "$2" --device "sim:$arch" --format json --quiet >out 2>err </dev/null || status=$?
  [ $status -le 1 ] || fail "the list of $direction ends with $status"
  holds '.problems[0] | .counts.listed >= 8 and .counts.measured + .counts.not_applicable == .counts.listed
    and ([.candidates[] | select(.status == "not_applicable")] | all(.reason != ""))'
done
