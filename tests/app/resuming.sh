#!/bin/sh
# Searches that are killed and gone on with, and run again from their journals: resuming.sh PROGRAM
program=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
cd "$scratch" || exit 1
export LC_ALL=C XDG_CACHE_HOME="$scratch" PET_PYTHON=/bin/sh PET_WORKER="$here/fake_runtime.sh" FAKE_PAIRS="$scratch/pairs"
expect 0 models build resnet18 --tiny -o model.onnx
expect 0 models build densenet121 --tiny -o other.onnx

# answered COUNT: so many comparisons stand in the journal
answered() { [ -e journal.jsonl ] && [ "$(grep -c '_measured"' journal.jsonl)" -ge "$1" ]; }

# killed COUNT ARGUMENTS...: by SIGKILL, once so many comparisons stand there
killed() {
  count=$1
  shift
  FAKE_RUNTIME=slow "$program" optimize model.onnx -o out.onnx --cache off "$@" >out 2>err &
  pid=$!
  waited=0
  until answered "$count"; do
    [ $waited -lt 600 ] || { complain "not $count comparisons within 60 s: $(cat err)"; break; }
    sleep 0.1
    waited=$((waited + 1))
  done
  kill -KILL $pid
  wait $pid 2>/dev/null
}

killed 2 --budget 300s --journal journal.jsonl --heap 8 --rounds 2 --max-growth 3
[ ! -e out.onnx ] || complain "a killed program has written a file"
before=$(grep -c '_measured"' journal.jsonl)
grep '_measured"' journal.jsonl >measured
cp journal.jsonl killed.jsonl
expect 0 replay killed.jsonl
says 'equal: .* the journal ends before its search did' out

# Killed once more, and in the middle of a line.
printf '{"event":"candidate_measured","subpro' >>journal.jsonl
killed $((before + 2)) --resume journal.jsonl
head -n "$before" measured >first
grep '_measured"' journal.jsonl | head -n "$before" | cmp -s - first || complain "what was measured is lost or measured again"

expect 0 optimize model.onnx -o out.onnx --cache off --resume journal.jsonl --report report.json
says '^proof      equivalent' out
grep -q '"changed": true' report.json || complain "the search that was gone on with came to nothing: $(grep reason report.json)"
[ "$(grep -c '"search_started"' journal.jsonl)" -eq 1 ] || complain "the search starts twice in the journal"
[ "$(grep -c '"search_finished"' journal.jsonl)" -eq 1 ] || complain "the search does not end once in the journal"
grep -q '"plan_tried".*"accepted":true' journal.jsonl || complain "the journal does not tell which plan was accepted"
grep '_measured"' journal.jsonl | head -n "$before" | cmp -s - first || complain "measurements were lost on the way"
expect 0 replay journal.jsonl
says '^equal: [0-9]* events$' out
mkdir moved
cp model.onnx moved/same.onnx
expect 0 replay journal.jsonl --model moved/same.onnx

# A search that the budget ended is gone on with, and each end is run again.
rm -f out.onnx
FAKE_RUNTIME=slow expect 0 optimize model.onnx -o out.onnx --cache off --budget 1s --journal short.jsonl
grep -q '"reason":"budget spent"' short.jsonl || complain "the budget did not end the search"
expect 0 replay short.jsonl
FAKE_RUNTIME=slow expect 0 optimize model.onnx -o out.onnx --cache off --budget 3s --resume short.jsonl
[ "$(grep -c '"search_finished"' short.jsonl)" -eq 1 ] || complain "a search that is gone on with ends twice"
expect 0 replay short.jsonl
says '^equal: [0-9]* events$' out

# A trace.
number=$(sed -n 's/.*"subprogram_found","number":\([0-9]*\).*/\1/p' journal.jsonl | head -n 1)
expect 0 replay journal.jsonl --trace "$number"
says 'positions tested' out
says '"mutants_counted"' out
refused 2 'no such subprogram' replay journal.jsonl --trace 100000

# A journal that does not follow from its first line.
sed 's/\("mutants_counted".*"proposed":\)/\11/' journal.jsonl >altered.jsonl
expect 1 replay altered.jsonl
says '^different after .* line [0-9]*: the journal has .*mutants_counted' out
cp altered.jsonl kept.jsonl
refused 3 'altered.jsonl, line [0-9]*: the search does not go on as it is written there' \
  optimize model.onnx -o out.onnx --cache off --resume altered.jsonl
cmp -s altered.jsonl kept.jsonl || complain "a journal that does not follow from its first line was written to"

# Bad input.
refused 4 'nosuch.jsonl' replay nosuch.jsonl
refused 4 'nosuch.jsonl' optimize model.onnx -o out.onnx --resume nosuch.jsonl
refused 4 'model.onnx' replay model.onnx
sed '3s/.*/{"event":"party","t":0}/' journal.jsonl >odd.jsonl
refused 4 'odd.jsonl:3: there is no event' replay odd.jsonl
cp killed.jsonl kept.jsonl
refused 2 'another model' optimize other.onnx -o out.onnx --resume killed.jsonl
refused 2 'another model' replay killed.jsonl --model other.onnx
sed '1s/"device":"none"/"device":"another"/' killed.jsonl >elsewhere.jsonl
refused 2 'device another, not none' optimize model.onnx -o out.onnx --resume elsewhere.jsonl
refused 2 'excludes' optimize model.onnx -o out.onnx --resume killed.jsonl --seed 5
refused 2 'overwritten' optimize model.onnx -o killed.jsonl --resume killed.jsonl
cmp -s killed.jsonl kept.jsonl || complain "a refused resumption has changed the journal"

finish
