#!/usr/bin/env bash
# Replays seeds compiled now: replay_code.sh BIN TARGET. Exit status 77: there is no compiler of device code.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
seeds=$(mktemp -d)
trap 'rm -r "$seeds"' EXIT
"$here/code_seeds.sh" "$1" "$2" "$seeds" || exit
"$1/fuzz_replay_$2" "$seeds"
