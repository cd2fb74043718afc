#!/usr/bin/env bash
# What the machine lacks: libraries, a GPU, places that can be written. Exit status 3 or 4 and the remedy; standard descriptors
# that are closed or full; cktune doctor.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

mkdir -p empty/lib
run 3 "${small[@]}" --rocm empty
says "empty/lib"
says "--rocm"

if [ ! -e /dev/kfd ]; then
  run 3 --problem 1,32,32,6,6,3,3 --instances tests --device hip
  says "GPU"
  run 3 --problem 1,32,32,6,6,3,3 --instances tests --upload http://localhost:1/
  says "--device sim"
fi

# libcurl is needed where something is uploaded, and nowhere else.
mkdir broken
echo "no library" | tee broken/libcurl.so.4 >broken/libcurl-gnutls.so.4
export LD_LIBRARY_PATH=$scratch/broken
run 3 "${small[@]}" --upload http://localhost:1/
says "libcurl.so.4 cannot be opened"
run 0 gen --target hip --output sources --instances tests --filter tile=32x32
"$cktune" doctor --quiet >out 2>err </dev/null || true
grep -q "libcurl.so.4 cannot be opened" out || fail "cktune doctor does not tell that libcurl is broken"
unset LD_LIBRARY_PATH

touch file
run 4 "${small[@]}" --db file/store.db
says "file/store.db"
run 4 "${small[@]}" --cache-dir file/cache
says "file"
echo "this is no store" >text.db
run 4 "${small[@]}" --db text.db
says "text.db"
[ "$(cat text.db)" = "this is no store" ] || fail "a foreign file was changed"
run 4 best --db absent.db
says "absent.db"
run 4 upload --db absent.db
says "absent.db"
[ ! -e absent.db ] || fail "cktune upload made a store"

# A result that could not be written is no success: a full device, a reader that went away, a closed descriptor.
one=("${small[@]}" --filter "tile=32x32x64" --quiet --db one.db)
ends() {
  local expected=$1 status=0
  bash -c "$2" cktune "$cktune" "${one[@]}" </dev/null >out 2>err || status=$?
  [ "$status" = "$expected" ] || fail "'$2' ended with $status, expected $expected"
}
# shellcheck disable=SC2016
{
  ends 4 '"$@" >/dev/full'
  says "stdout"
  ends 4 '"$@" --format json >/dev/full'
  ends 4 '"$1" doctor --device sim:gfx90a >/dev/full'
  ends 4 '"$1" help >/dev/full'
  ends 4 'set -o pipefail; "$@" | true'
  ends 4 '"$@" >&-'
  says "stdout"
  ends 4 '"$@" <&- >&- 2>&-'
  ends 0 '"$@" 2>&-'
  grep -q "^Fastest" out || fail "no result with stderr closed"
  ends 3 'ulimit -n 16; "$@"'
  says "could not be executed"
  ends 4 'ulimit -f 20; "$@" --db limited.db'
  says "limited.db"
  ends 3 '"$@" --compile-timeout 1e-9'
  says "--compile-timeout"
}
# A file name is a file name, also where SQLite reads more into it.
for db in :memory: "file:x.db?mode=memory"; do
  run 0 "${one[@]}" --db "$db"
  [ -s "$db" ] || fail "no file '$db'"
  run 0 best --db "$db"
done

# hipRTC ends the process on an architecture it does not know: told by the probe, not by a crash.
run 0 doctor --device sim:gfx90a
grep -q "^ok *compile" out || fail "doctor does not compile for gfx90a"
grep -q "^ok *simulator" out || fail "doctor finds no simulator"
version=$(sed -n 's/^ok *hipRTC *hiprtc \([0-9]*\).*/\1/p' out)
if [ "$version" = 5 ]; then
  run 3 doctor --arch gfx950
  grep -q "^FAIL *compile" out || fail "doctor finds gfx950 fine"
  grep -q "hiprtc 5" out || fail "the version is not named"
fi
run 3 doctor --rocm empty --device sim:gfx90a
grep -q "^FAIL *hipRTC" out || fail "doctor finds hipRTC in an empty folder"
run 3 doctor --device sim:gfx90a --db file/store.db
grep -q "^FAIL *store" out || fail "doctor finds an unwritable store fine"
