#!/usr/bin/env bash
# Replays seeds compiled now: replay_code.sh BIN TARGET. Exit status 77: there is no compiler of device code.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
seeds=$(mktemp -d)
trap 'rm -r "$seeds"' EXIT
"$here/code_seeds.sh" "$1" "$2" "$seeds" || exit
# Of many small files, every eighth will do.
mapfile -t files < <(find "$seeds" -type f | sort)
step=$((${#files[@]} > 16 ? 8 : 1))
chosen=()
for ((i = 0; i < ${#files[@]}; i += step)); do chosen+=("${files[i]}"); done
"$1/fuzz_replay_$2" "${chosen[@]}"
