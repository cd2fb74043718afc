#!/usr/bin/env bash
# What the machine lacks: libraries, a GPU, places that can be written. Exit status 3 or 4 and the remedy; cktune doctor.
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
