#!/usr/bin/env bash
# --upload posts the run's document with the token; a server that fails costs no result; cktune upload sends it again.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
sink=$2

# serve STATUS...: answers one request after the other with these; requests are kept as request.1, request.2 ...
serve() {
  rm -f request.* port
  "$sink" port "$@" &
  for _ in $(seq 1 200); do
    [ -s port ] && break
    sleep 0.02
  done
  url=http://user:secret@127.0.0.1:$(cat port)/runs
  public=http://127.0.0.1:$(cat port)/runs
}

export CKTUNE_UPLOAD_TOKEN=token-of-the-test
serve 200
run 0 "${small[@]}" "${few[@]}" --upload "$url" --format json
grep -qi '^authorization: bearer token-of-the-test' request.1 || fail "the token was not sent: $(head -20 request.1)"
sed '1,/^\r*$/d' request.1 >body
[ "$(jq -c .problems body)" = "$(jq -c .problems out)" ] || fail "another document was posted"
! grep -qE "token-of-the-test|secret" out err || fail "a secret was printed"

serve 500 200
run 0 "${small[@]}" "${few[@]}" --upload "$url" --format json
says "is queued"
holds '.problems[0].status == "ok"'
! grep -qE "token-of-the-test|secret" out err || fail "a secret was printed"
! grep -qaE "token-of-the-test|secret" "$HOME"/.local/share/cktune/* || fail "a secret was stored"
run 0 upload 2
says "1 sent, 0 still queued"
[ -s request.2 ] || fail "nothing was sent again"
[ "$(sed '1,/^\r*$/d' request.2 | jq .run.id)" = 2 ] || fail "another run was sent"
run 0 upload
says "0 sent"

# Nobody listens: queued, and upload says so.
wait
run 0 "${small[@]}" "${few[@]}" --upload "$public" --format json
says "is queued"
run 1 upload
says "stays in the queue"
serve 200
run 0 upload --upload "$public"
says "1 sent"
run 2 upload x
says "'x'"
