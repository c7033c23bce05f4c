#!/bin/sh
# A worker that misbehaves in the way its argument names; the tests start it in place of the real one.
hello='{"hello": {"runtime": "fake", "version": "1", "device": "none", "threads": 1, "protocol": 1}}'
model='"handle": 1, "inputs": [], "outputs": []'
# Answers the request that is read next, after its id, with the fields given.
answer() { read -r request; id=${request#*\"id\":}; printf '{"id": %s, %s}\n' "${id%%[,\}]*}" "$1"; }

case $1 in
  dies_at_start) echo "Traceback: no module" >&2; exit 3 ;;
  silent) sleep 60 ;;
  garbage_hello) echo "warning: hello"; sleep 60 ;;
  other_protocol) echo '{"hello": {"runtime": "fake", "version": "1", "device": "", "threads": 1, "protocol": 9}}'; sleep 60 ;;
  wrong_types) echo '{"hello": {"runtime": 5, "version": "1", "device": "", "threads": 1, "protocol": 1}}'; sleep 60 ;;
esac
case $1 in
  *_together) hello="${hello%\}\}}, \"offers\": [\"together\"]}}" ;;
  *_profile) hello="${hello%\}\}}, \"offers\": [\"profile\", \"dancing\"]}}" ;;
esac
echo "$hello"
case $1 in
  dies_on_request) read -r request; kill -SEGV $$ ;;
  hangs_on_request) read -r request; sleep 60 ;;
  garbage_answer) read -r request; printf '\033]0;x\007 segfault?\n'; sleep 60 ;;
  half_a_line) read -r request; printf '{"id": 1, "ok": tr'; exit 0 ;;
  huge_line) read -r request; head -c 20000000 /dev/zero | tr '\0' x; sleep 60 ;;
  other_id) read -r request; echo '{"id": 999, "ok": true}'; sleep 60 ;;
  refuses) while answer '"ok": false, "error": "opset 99 is not supported"'; do :; done ;;
  lacks_handle) answer '"ok": true'; sleep 60 ;;
  deaf) exec sleep 60 ;;
  closes_stdout) exec >&-; sleep 60 ;;
  dies_in_pair) answer "\"ok\": true, $model"; answer "\"ok\": true, $model"; read -r request; echo "out of memory" >&2; exit 1 ;;
  wrong_samples) answer "\"ok\": true, $model"; answer "\"ok\": true, $model"; answer '"ok": true, "a_ns": [1, 2], "b_ns": [1]'; sleep 60 ;;
  negative_samples) answer "\"ok\": true, $model"; answer "\"ok\": true, $model"; answer '"ok": true, "a_ns": [1, -2], "b_ns": [1, 1]'; sleep 60 ;;
  good_together) answer "\"ok\": true, $model"; answer "\"ok\": true, $model"; answer "\"ok\": true, $model"; answer '"ok": true, "ns": [[1000000, 2000000], [3000000, 4000000], [5000000, 6000000]]'; sleep 60 ;;
  fewer_together) answer "\"ok\": true, $model"; answer "\"ok\": true, $model"; answer "\"ok\": true, $model"; answer '"ok": true, "ns": [[1, 2], [1, 2]]'; sleep 60 ;;
  ragged_together) answer "\"ok\": true, $model"; answer "\"ok\": true, $model"; answer "\"ok\": true, $model"; answer '"ok": true, "ns": [[1, 2], [1, 2], [1]]'; sleep 60 ;;
  flat_together) answer "\"ok\": true, $model"; answer "\"ok\": true, $model"; answer "\"ok\": true, $model"; answer '"ok": true, "ns": [1, 2]'; sleep 60 ;;
  no_such_request) answer "\"ok\": true, $model"; sleep 60 ;;
  dies_in_profile) answer "\"ok\": true, $model"; read -r request; kill -SEGV $$ ;;
  hangs_in_profile) answer "\"ok\": true, $model"; read -r request; sleep 60 ;;
  refuses_profile) answer "\"ok\": true, $model"; answer '"ok": false, "error": "no counters here"'; sleep 60 ;;
  no_runs_profile) answer "\"ok\": true, $model"; answer '"ok": true, "runs_ns": [], "operators": []'; sleep 60 ;;
  more_samples_profile) answer "\"ok\": true, $model"; answer '"ok": true, "runs_ns": [9], "operators": [{"name": "a", "type": "A", "calls": 1, "ns": [1, 2]}]'; sleep 60 ;;
  negative_profile) answer "\"ok\": true, $model"; answer '"ok": true, "runs_ns": [9], "operators": [{"name": "a", "type": "A", "calls": 1, "ns": [-1]}]'; sleep 60 ;;
  nameless_profile) answer "\"ok\": true, $model"; answer '"ok": true, "runs_ns": [9], "operators": [{"type": "A", "calls": 1, "ns": [1]}]'; sleep 60 ;;
  good_profile) answer "\"ok\": true, $model"; answer '"ok": true, "runs_ns": [9000000, 7000000], "operators": [{"name": "a", "type": "A", "calls": 2, "ns": [2000000, 0]}]'; sleep 60 ;;
  noisy) answer "\"ok\": true, $model"; head -c 5000000 /dev/zero | tr '\0' e >&2; answer "\"ok\": true, $model"; sleep 60 ;;
esac
