#!/usr/bin/env bash
# The first sweep: every instance of the tests list is measured and verified or not applicable, statuses sum to listed, the
# second run takes its code objects from the cache and gives the same figures, and the store knows the best.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
problem=(--problem "2,64,64,14,14,3,3,1,1,1,1" --instances tests --device "sim:$arch")

check_document() {
  holds '.schema == 1 and (.problems | length) == 1 and .problems[0].status == "ok"'
  holds ".run.device.simulated and .run.device.arch == \"$arch\" and (.run.id | type) == \"number\""
  holds '.problems[0].counts.measured >= 20'
  holds '.problems[0].counts | .listed == ([to_entries[] | select(.key | IN("listed", "compiled", "resumed") | not) | .value] | add)'
  holds '.problems[0].candidates | length == (map(.key) | unique | length)'
  holds '[.problems[0].candidates[] | select(.status == "measured")] | all(.error_ratio <= 1 and .time_ms > 0 and .timer == "model")'
  holds '[.problems[0].candidates[] | select(.status != "measured")] | all(.status == "not_applicable" and .reason != "")'
  holds '.problems[0].best.time_ms == ([.problems[0].candidates[] | select(.status == "measured").time_ms] | min)'
  holds '.problems[0].best.timer == "model" and .problems[0].flops == 28901376'
}

run 0 "${problem[@]}" --format json
check_document
holds '.problems[0].counts.compiled >= 20'
cp out cold.json
says "problem: forward fp16 2D"

run 0 "${problem[@]}" --format json --db other.db --quiet
check_document
[ ! -s err ] || fail "--quiet says something"
figures='.problems[0].candidates | map([.key, .status, .time_ms, .error_ratio])'
[ "$(jq -c "$figures" out)" = "$(jq -c "$figures" cold.json)" ] || fail "the second run gave other figures"
holds '[.problems[0].candidates[].compile_seconds] | add == 0'

run 0 "${problem[@]}"
grep -q "times are modelled" out || fail "the table does not say that it is modelled"
grep -q "Fastest: " out || fail "the table has no verdict"
grep -q "$(jq -r .problems[0].best.instance cold.json)" out || fail "the table does not name the best"

run 0 best --problem 2,64,64,14,14,3,3,1,1,1,1 --format json
holds '.bests | length == 1'
[ "$(jq .bests[0].time_ms out)" = "$(jq .problems[0].best.time_ms cold.json)" ] || fail "best gives another time"
run 0 best
run 1 best --problem 9,64,64,14,14,3,3
says "no measurement"

# A file of problems: a bad line is reported, the others are tuned, and the exit status is 2 at the end.
printf '# comment\n1,32,32,6,6,3,3,1,1,1,1\n1,32,32\nn=1,c=32,k=32,hi=5,wi=7,y=1,x=1\n' >problems.txt
run 2 --problems problems.txt --instances tests --filter " tile=32x32" --device "sim:$arch" --format json
says "problems.txt:3"
holds '(.problems | length) == 2 and (.problems | all(.status == "ok"))'

# Problems that share code objects compile them once; budget: what is left is done by the same command.
run 0 --problem 1,32,32,6,6,3,3,1,1,1,1 --problem 1,32,32,6,6,3,3,1,1,1,1 "${few[@]}" --instances tests --device "sim:$arch" --format json
holds '(.problems | length) == 1'
run 1 "${small[@]}" --budget 0.000001 --format json
says "the budget of"
holds '.problems[0].counts | .measured == 0 and .not_reached > 0 and .listed == .not_applicable + .not_reached'
holds '.run.finished == null'
run 0 "${small[@]}" --format json
holds '.problems[0].counts.resumed > 0 and .run.finished != null'

# No device named, no GPU here: simulated, and said so first.
if ! grep -qs 'simd_count [1-9]' /sys/class/kfd/kfd/topology/nodes/*/properties; then
  run 0 --problem 1,32,32,6,6,3,3,1,1,1,1 "${few[@]}" --instances tests
  head -n 1 err | grep -q "simulating gfx90a" || fail "the first line does not say that it simulates"
fi
