#!/usr/bin/env bash
# Ends in mid-sweep: SIGKILL of a run worker, of a compile worker, and of cktune itself, SIGINT; each followed by the same
# command, which goes on: nothing is measured twice, the counts cover the whole run, the store is intact.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
problem=(--problem "2,64,64,20,20,3,3,1,1,1,1" --instances tests --device "sim:$arch" --filter warp_tile=32x32 --format json --jobs 1)

# start: cktune in the background.
start() {
  "$cktune" "${problem[@]}" "$@" >out 2>err </dev/null &
  pid=$!
}

# worker ROLE: the pid of a worker of that role, once there is one.
worker() {
  for _ in $(seq 1 1000); do
    for child in $(pgrep -P "$pid" || true); do
      if tr '\0' ' ' <"/proc/$child/cmdline" 2>/dev/null | grep -q "__worker $1"; then
        echo "$child"
        return
      fi
    done
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 0.02
  done
}

# mid_sweep: waits until some kernels are compiled; the cache was empty before.
mid_sweep() {
  for _ in $(seq 1 2000); do
    [ "$(find "$HOME/.cache" -name '*.co' 2>/dev/null | wc -l)" -ge 3 ] && return
    sleep 0.02
  done
  fail "nothing was compiled"
}

# finish STATUS: waits for cktune's end.
finish() {
  local status=0
  wait "$pid" || status=$?
  [ "$status" = "$1" ] || fail "cktune ended with $status, expected $1"
}

# sums: the statuses sum to listed.
sums() {
  holds '.problems[0].counts | .listed == ([to_entries[] | select(.key | IN("listed", "compiled", "resumed") | not) | .value] | add)'
}

# The worker that runs kernels.
start --db run.db
mid_sweep
victim=$(worker run)
[ -n "$victim" ] || fail "there was no run worker"
kill -9 "$victim"
finish 0
sums
holds '.problems[0].counts | .run_crashed <= 1 and .measured > 5'
holds '[.problems[0].candidates[] | select(.status == "run_crashed")] | all(.reason | contains("signal 9"))'

# Workers killed before they said a word, also while the other one is awaited: each is replaced.
for victims in compile run "run compile"; do
  start --db early.db --fresh --filter "tile=32x32x64"
  targets=()
  for role in $victims; do targets+=("$(worker "$role")"); done
  [ -n "${targets[0]}" ] || fail "there was no worker to kill"
  kill -9 "${targets[@]}" 2>/dev/null || true
  finish 0
  sums
  holds '.problems[0].counts | .measured >= 1'
done

# The environment of a worker holds no secret.
export CKTUNE_UPLOAD_TOKEN=a-secret-token
start --db secret.db
victim=$(worker run)
! tr '\0' '\n' <"/proc/$victim/environ" | grep -q secret-token || fail "the run worker was given the token"
finish 0
unset CKTUNE_UPLOAD_TOKEN
! grep -qF secret-token out err secret.db* || fail "the token was written somewhere"

# A worker that compiles.
rm -rf "$HOME/.cache"
start --db compile.db
mid_sweep
victim=$(worker compile)
[ -n "$victim" ] || fail "there was no compile worker"
kill -9 "$victim"
finish 0
sums
holds '.problems[0].counts | .compile_crashed <= 1 and .measured > 5'
holds '[.problems[0].candidates[] | select(.status == "compile_crashed")] | all(.reason | contains("signal 9"))'

# cktune itself: its workers go with it, and the same command goes on.
rm -rf "$HOME/.cache"
start --db whole.db
runner=$(worker run)
compiler=$(worker compile)
mid_sweep
kill -9 "$pid"
{ wait "$pid" || true; } 2>/dev/null
for _ in $(seq 1 100); do
  kill -0 "$runner" 2>/dev/null || kill -0 "$compiler" 2>/dev/null || break
  sleep 0.02
done
! kill -0 "$runner" 2>/dev/null || fail "the run worker outlives cktune"
! kill -0 "$compiler" 2>/dev/null || fail "the compile worker outlives cktune"
run 0 "${problem[@]}" --db whole.db
says "going on with unfinished run 1"
sums
holds '.run.id == 1 and .problems[0].counts.resumed > 0'
holds '.problems[0].counts.measured > 5 and (.problems[0].candidates | length == (map(.key) | unique | length))'

# The run is finished: the same command starts another.
run 0 "${problem[@]}" --db whole.db
holds '.run.id == 2 and .problems[0].counts.resumed == 0'

# Ctrl-C: 130, what is done is kept, the same command goes on; --fresh does not.
rm -rf "$HOME/.cache"
start --db interrupted.db
mid_sweep
kill -INT "$pid"
finish 130
says "the same command goes on"
[ ! -s out ] || fail "an interrupted run printed a document"
run 0 "${problem[@]}" --db interrupted.db --fresh
holds '.run.id == 2 and .problems[0].counts.resumed == 0'
run 0 "${problem[@]}" --db interrupted.db
holds '.run.id == 1 and .problems[0].counts.resumed > 0'
sums

# A damaged code object is compiled again.
for object in "$HOME"/.cache/cktune/code/*.co; do
  head -c 100 "$object" >short && cp short "$object"
  break
done
run 0 "${problem[@]}" --db damaged.db
holds '.problems[0].counts.measured > 5 and .problems[0].counts.run_failed == 0'

[ -z "$(find "$TMPDIR" -mindepth 1 -maxdepth 1 ! -name "cktune-*")" ] || fail "something was left in TMPDIR"
