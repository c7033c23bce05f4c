#!/bin/sh
# Ctrl-C and SIGTERM while ONNX Runtime itself measures: stopping.sh PROGRAM PYTHON
program=$1
python=${PET_PYTHON:-$2}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
cd "$scratch" || exit 1
export LC_ALL=C XDG_CACHE_HOME="$scratch" TMPDIR="$scratch/tmp"
mkdir tmp
"$python" "$here/small_models.py" . || exit 1
cp branches.onnx kept.onnx

# until N CONDITION: waits at most N tenths of a second
until_true() {
  waited=0
  while ! eval "$2"; do
    [ $waited -lt "$1" ] || return 1
    sleep 0.1
    waited=$((waited + 1))
  done
}

start() {
  rm -f out.onnx report.json journal.jsonl
  "$program" optimize branches.onnx -o out.onnx --budget 300s --cache off --report report.json --journal journal.jsonl >out 2>err &
  pid=$!
}
found='grep -q best_improved journal.jsonl 2>/dev/null'
measuring='pgrep -P $pid >/dev/null'

# ended CODE: the program has; nothing of it is left
ended() {
  workers=$(pgrep -P $pid)
  wait $pid
  code=$?
  [ $code -eq "$1" ] || complain "exit code $code instead of $1: $(cat out err)"
  cmp -s branches.onnx kept.onnx || complain "the original was touched"
  [ -z "$(ls -A tmp)" ] || complain "temporary files were left behind: $(ls tmp)"
  for file in .*.tmp.onnx *.part-* *.probe-*; do
    [ ! -e "$file" ] || complain "the temporary $file was left behind"
  done
  for worker in $workers; do
    until_true 70 '! kill -0 $worker 2>/dev/null' || complain "the worker $worker is still there"
  done
}

# A busy machine may leave the whole file undecided; what was found must not be lost for another reason.
is_lost() { ! grep -q '"changed": true' report.json && ! grep -q '"reason": "not faster' report.json; }

# Until the file that is written is a changed one, three times at most: $1 is done once something is found.
kept=0
try() {
  for _ in 1 2 3; do
    start
    until_true 300 "$found" || complain "nothing was found within 30 s: $(cat err)"
    $1
    ended 130
    is_lost && complain "$1: what was found is lost: $(grep reason report.json)"
    grep -q '"changed": true' report.json && kept=$((kept + 1)) && return
  done
}

send() { kill -$signal $pid; }
for signal in INT TERM HUP; do
  try send
  grep -q '"stop": "stopped"' report.json || complain "SIG$signal: the search was not stopped"
  grep -q '"verdict": "equivalent"' report.json || complain "SIG$signal: nothing was proved"
  [ "$(grep -c '^pet: stopping; what was found so far' err)" -eq 1 ] || complain "SIG$signal is not told: $(cat err)"
done

start
until_true 300 "$found" || complain "nothing was found within 30 s: $(cat err)"
kill -INT $pid
sleep 0.1
kill -INT $pid
ended 130
cmp -s branches.onnx out.onnx || complain "stopped twice, the original was not written"
grep -q '^pet: stopped; the original is written$' err || complain "the second Ctrl-C is not told: $(cat err)"

# Both at once, before anything is measured.
start
sleep 0.05
kill -INT $pid
kill -TERM $pid
ended 130
[ ! -e out.onnx ] || cmp -s branches.onnx out.onnx || complain "stopped at once, something else was written"

# A worker that is killed costs the candidate that it measured, and no more.
kill_worker() {
  worker=$(pgrep -P $pid)
  kill -KILL "$worker"
  until_true 100 'grep -q "candidate_failed" journal.jsonl' || complain "the journal does not tell of the killed worker"
  until_true 100 "$measuring" || complain "no other worker was started"
  kill -INT $pid
}
try kill_worker
[ $kept -gt 0 ] || complain "whatever was found, the original was written each time"

# A program that is killed takes its worker with it.
start
until_true 300 "$found" || complain "nothing was found within 30 s: $(cat err)"
worker=$(pgrep -P $pid)
kill -KILL $pid
wait $pid 2>/dev/null
until_true 100 '! kill -0 $worker 2>/dev/null' || complain "the worker outlives the program"
cmp -s branches.onnx kept.onnx || complain "the original was touched"

finish
