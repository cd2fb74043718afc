# shellcheck shell=bash disable=SC2034
# What every script here starts with: a fresh folder with its own HOME, store and cache, and assertions that say what
# was seen. Sourced with the build folder in $1; scripts end silently when all is right.
set -euo pipefail
cktune=$(cd "$1" && pwd)/bin/cktune
build=$(cd "$1" && pwd)
name=$(basename "$0" .sh)
scratch=$(mktemp -d)
export HOME=$scratch/home TMPDIR=$scratch/tmp AMD_COMGR_CACHE=0
mkdir -p "$HOME" "$TMPDIR"
unset CKTUNE_DB CKTUNE_CACHE CKTUNE_UPLOAD_URL CKTUNE_UPLOAD_TOKEN XDG_CACHE_HOME XDG_DATA_HOME
cd "$scratch"

leave() {
  for pid in $(jobs -p); do kill -9 "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$scratch"
}
trap leave EXIT

fail() {
  echo "$name: $*" >&2
  echo "--- stdout" >&2
  head -c 4000 "$scratch/out" >&2 || true
  echo "--- stderr" >&2
  tail -c 4000 "$scratch/err" >&2 || true
  exit 1
}

# run STATUS WORDS...: runs cktune, expects the exit status; output in out and err.
run() {
  local expected=$1 status=0
  shift
  "$cktune" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  [ "$status" = "$expected" ] || fail "'cktune $*' ended with $status, expected $expected"
}

# says TEXT: stderr has it.
says() {
  grep -qF -- "$1" "$scratch/err" || fail "stderr does not say '$1'"
}

# holds FILTER: jq finds it true of the JSON document on stdout.
holds() {
  jq -e "$1" "$scratch/out" >/dev/null || fail "the document does not hold: $1"
}

# The architecture to simulate; CTest runs scripts that name it once for each that the compiler knows.
arch=${CKTUNE_TEST_ARCH:-gfx90a}

# A small problem and a few quick instances; the commands of most scripts.
small=(--problem "1,32,32,6,6,3,3,1,1,1,1" --instances tests --device "sim:$arch")
few=(--filter " tile=32x32")
