#!/usr/bin/env bash
# Wrong usage and unreadable input: exit status 2 and a message that names what is wrong, before any work.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

# bad SPEC MESSAGE
bad() {
  run 2 --problem "$1" --instances tests --device sim:gfx90a
  says "$1"
  says "$2"
  [ ! -s out ] || fail "something was printed on stdout"
  [ ! -e "$HOME/.local" ] || fail "a store was made for a wrong SPEC"
}
bad 2,64,64,14,14 "too few"
bad 2,64,sixty,14,14,3,3 "sixty"
bad 0,64,64,14,14,3,3 "N"
bad 2,-64,64,14,14,3,3 "-64"
bad 99999999999999999999,64,64,14,14,3,3 "99999999999999999999"
bad 2000000000,2000000000,2000000000,2000000000,2000000000,3,3 "large"
bad 2,64,64,2,2,3,3,2,2,0,0 "filter"
bad 2,63,64,14,14,3,3,1,1,1,1,1,1,4 "4"
bad 2,64,62,14,14,3,3,1,1,1,1,1,1,4 "4"
bad n=2,c=64,k=64,hi=14,wi=14,y=3,x=3,foo=1 "foo"
bad n=2,c=64,k=64,hi=14,wi=14,y=3 "x"

run 2 --porblem 1
says "did you mean --problem?"
run 2 bets
says "did you mean 'best'?"
run 2 tune
says "no problem was given"
run 2 "${small[@]}" --db
says "--db needs a value"
run 2 "${small[@]}" --format xml
says "table|json"
run 2 "${small[@]}" --arch gfx1234
says "gfx1234"
says "gfx90a"
run 2 "${small[@]}" --arch gfx908
says "contradicts"
run 2 "${small[@]}" --device gpu
says "hip:N"
run 2 "${small[@]}" --filter nothing-has-this
says "nothing-has-this"
run 2 "${small[@]}" --instances /nowhere.conf
says "/nowhere.conf"
run 2 "${small[@]}" --upload ftp://example.com/
says "http://"
run 2 "${small[@]}" --upload http://
says "--upload"
run 2 "${small[@]}" --jobs 257
says "at most 256"
run 2 --problem 1,32,32,6,6,3,3 --device sim:gfx1234
says "--device sim:gfx1234"
run 2 "${small[@]}" --problems /dev/zero
says "larger than"
run 2 "${small[@]}" --instances /dev/zero
says "larger than"
# What is wrong is said even of a value longer than any message.
run 2 "${small[@]}" --jobs "$(head -c 100000 /dev/zero | tr '\0' 9)"
says "is too large"
run 2 --problem "$(head -c 100000 /dev/zero | tr '\0' 9),1" --device sim:gfx90a
says "which is too large"
run 2 --problem "$(printf '\033[31m2')" --device sim:gfx90a
! grep -q "$(printf '\033')" err || fail "an escape sequence reached the terminal"
run 2 "${small[@]}" --direction backward_data
says "backward_data"

# A list too long to be tuned ends at once: each problem is compared with those before it.
seq 1 10001 | sed 's/$/,32,32,6,6,3,3/' >many.txt
run 2 --problems many.txt --instances tests --device sim:gfx90a
says "more than 10000 different problems"

# A bad line in an instance list stops everything, with its place.
printf '# fine\ntile=32x32x32 warps=2x2x1 warp_tile=16x16x16 vector=8,8,8 pipeline=v1\ntile=what\n' >list.conf
run 2 "${small[@]}" --instances list.conf
says "list.conf:3"
[ ! -s out ] || fail "something was printed on stdout"

# Help goes to stdout.
run 0
grep -q "usage: cktune" out || fail "no usage"
run 0 --help
run 0 help tune
grep -q -- "--instances LIST" out || fail "help tune does not list --instances"
run 0 best --help
run 0 --version
grep -qE '^cktune [0-9]+\.[0-9]+\.[0-9]+$' out || fail "no version"
