#!/usr/bin/env bash
# README does what it says: every command of a ```console block runs and ends with 0 (with 0 or 3 behind "needs a GPU"), every
# option it names exists, and it names every option of `cktune help tune`.
#   test_readme.sh BUILD_FOLDER SOURCE_FOLDER
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
readme=$2/README.md

# scripts/demo and scripts/test build and test all of this: they are run by .ci/run.
commands=$(awk '/^<!-- needs a GPU/ { gpu = 1 }
  /^```console/ { inside = 1; next }
  /^```/ { if (inside) gpu = 0; inside = 0 }
  inside && /^\$ / { sub(/^\$ /, ""); print (gpu ? "gpu" : "any") "\t" $0 }' "$readme" | grep -v 'scripts/')
[ "$(wc -l <<<"$commands")" -ge 5 ] || fail "README has hardly any command: $commands"

while IFS=$'\t' read -r kind line; do
  case $line in
    build/bin/cktune*) ;;
    *) fail "README's command is not cktune's: $line" ;;
  esac
  status=0
  bash -c "\"$cktune\"${line#build/bin/cktune}" >out 2>err </dev/null || status=$?
  [ "$status" = 0 ] || { [ "$kind" = gpu ] && [ "$status" = 3 ]; } || fail "README's '$line' ended with $status"
done <<<"$commands"

help=$("$cktune" help tune; "$cktune" help gen; "$cktune" help best; "$cktune" help upload; "$cktune" help doctor)
grep -oE -- '--[a-z][a-z-]+' "$readme" | sort -u | while read -r option; do
  grep -qE -- "(^|[ ,])$option\b" <<<"$help" || fail "README names $option, which no help page has"
done
"$cktune" help tune | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | grep -vE -- '--(help|version)' | while read -r option; do
  grep -qE -- "$option\b" "$readme" || fail "cktune help tune has $option, which README does not name"
done
