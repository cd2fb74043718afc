#!/usr/bin/env bash
# cmake --install: an installed tree works from where it lies, moved to another place included.
#   test_install.sh BUILD_FOLDER
set -euo pipefail
build=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch AMD_COMGR_CACHE=0
unset CKTUNE_DB CKTUNE_CACHE CKTUNE_UPLOAD_URL CKTUNE_UPLOAD_TOKEN XDG_CACHE_HOME XDG_DATA_HOME

fail() {
  echo "test_install: $*" >&2
  exit 1
}

cmake --install "$build" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/second place" # the program must find its data beside itself, wherever it went
root="$scratch/second place"
for file in bin/cktune lib/cktune/libhipsim.so share/cktune/configs/forward/tests/nhwgc_fp16.conf \
  share/cktune/kernels/conv_args.h share/doc/cktune/README.md; do
  [ -e "$root/$file" ] || fail "$file was not installed"
done
[ ! -L "$root/share/cktune/configs" ] || fail "the lists were installed as a link"

cd / # nothing is found relative to the current folder
"$root/bin/cktune" --problem 1,32,32,6,6,3,3,1,1,1,1 --instances tests --filter tile=64x64x32 --device sim:gfx90a --quiet \
  --format json >"$scratch/out.json" || fail "a sweep with the installed program ended with $?"
[ "$(jq -r '.problems[0].status' "$scratch/out.json")" = ok ] || fail "no best: $(cat "$scratch/out.json")"
