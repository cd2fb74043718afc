#!/usr/bin/env bash
# bench/hipsim/INSTRUCTIONS.md is what the instruction table says. In $1 is the build folder.
set -euo pipefail
list=$(cd "$(dirname "$0")/../.." && pwd)/bench/hipsim/INSTRUCTIONS.md
"$1/bin/hipsim_list_instructions" | diff -u "$list" - || {
  echo "bench/hipsim/INSTRUCTIONS.md and the instruction table differ; write it anew with scripts/list-instructions" >&2
  exit 1
}
