#!/bin/sh
# pet where something is measured, by workers that misbehave and by the runtime itself, and where it is interrupted; it wants the
# machine for itself: pet_measuring.sh PROGRAM FAKE_WORKER
program=$1
bad_worker=$2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
. "$here/fake_workers.sh"
expect 0 models build densenet121 --tiny -o tiny.onnx
cp tiny.onnx kept.onnx
quick='--budget 3s --limits steps=1'

# Workers that are missing or misbehave.
export PET_PYTHON=/nowhere/python
refused 3 'PET_PYTHON' optimize tiny.onnx -o out.onnx
refused 3 'PET_PYTHON' bench tiny.onnx
export PET_PYTHON=/bin/sh PET_WORKER=/nowhere/worker.py
refused 3 'PET_WORKER' optimize tiny.onnx -o out.onnx
export PET_WORKER_TIMEOUT=1s
for behaviour in dies_at_start silent garbage_hello other_protocol wrong_types dies_on_request hangs_on_request \
  garbage_answer half_a_line other_id lacks_handle deaf closes_stdout; do
  with_worker $behaviour
  refused 3 . optimize tiny.onnx -o out.onnx $quick
  absent out.onnx
done
# What the runtime refuses, and does not fail at, is written as it is.
with_worker refuses
refused 3 'tiny.onnx: fake: opset 99 is not supported; what is measured must run in fake' bench tiny.onnx
expect 0 optimize tiny.onnx -o out.onnx $quick
says 'unchanged  .*fake: opset 99 is not supported' out
same tiny.onnx out.onnx
rm -f out.onnx
PET_WORKER_TIMEOUT=soon
refused 2 'PET_WORKER_TIMEOUT' bench tiny.onnx
PET_WORKER_TIMEOUT=1s
for behaviour in crash hang; do
  with_fake $behaviour
  refused 3 'tiny.onnx: .*the original was written' optimize tiny.onnx -o out.onnx --budget 1s --cache off
  same tiny.onnx out.onnx
  # The original can be measured, no candidate can.
  export FAKE_PAIRS="$scratch/good" FAKE_GOOD_PAIRS=2
  rm -f out.onnx good
  refused 3 'none of [0-9]* candidates could be measured.*the original was written' optimize tiny.onnx -o out.onnx --budget 8s --cache off
  same tiny.onnx out.onnx
  rm -f out.onnx
  unset FAKE_PAIRS FAKE_GOOD_PAIRS
done
unset PET_WORKER_TIMEOUT

# A way through with a runtime in which every candidate wins; its report holds all that is promised.
with_fake quick
expect 0 optimize tiny.onnx -o out.onnx --budget 60s --report report.json --journal journal.jsonl
[ -s out.onnx ] && ! cmp -s tiny.onnx out.onnx || complain "nothing was changed"
grep -q '"search_finished"' journal.jsonl || complain "the journal has no end"
for key in model original optimized changed bytes target name version device threads original_ms median min runs \
  optimized_ms speedup low high verdict log2_error proved_at folded count numeric max_abs max_rel subprograms chosen \
  subprogram mutant corrections saved_ms seconds peak_rss_mib seed proof_seed measurements made reused rejected; do
  grep -q "\"$key\":" report.json || complain "the report lacks $key"
done
grep -q '"changed": true' report.json || complain "the report says that nothing changed"
grep -q '"verdict": "equivalent"' report.json || complain "the report's verdict is another"
# The same again: what the search measured is remembered, and the report says so.
expect 0 optimize tiny.onnx -o again.onnx --budget 60s --report again.json
grep -q '"made": 0' again.json || complain "the search measured again what it remembers: $(grep -A2 measurements again.json)"
grep -q '"reused": [1-9]' again.json || complain "the report does not say what was remembered"
says '^measured   0 candidates afresh, [1-9][0-9]* as remembered' out
expect 0 optimize tiny.onnx -o again.onnx $quick --format json
says '"changed":false' out
says '"original_ms":{"median":2.0' out
says '"optimized_ms":{"median":2.0' out
same tiny.onnx again.onnx
absent

# stopped PAIRS TIMES: the program is interrupted TIMES times once it has measured so many pairs
stopped() {
  with_fake slow
  rm -f pairs stopped.onnx
  FAKE_PAIRS=$scratch/pairs "$program" optimize tiny.onnx -o stopped.onnx --budget 100s --cache off --report stopped.json \
    >out 2>err &
  pid=$!
  waited=0
  while [ "$(cat pairs 2>/dev/null | wc -l)" -lt "$1" ] && [ $waited -lt 300 ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
  for _ in $(seq "$2"); do
    kill -INT $pid
    sleep 0.1
  done
  wait $pid
  [ $? -eq 130 ] || complain "stopped after $1 pairs, $2 times: another exit code than 130: $(cat out err)"
  absent
}
stopped 1 1
grep -q '^pet: stopping; nothing faster was found so far.* left$' err || complain "Ctrl-C says nothing: $(cat err)"
same tiny.onnx stopped.onnx
stopped "$(($(grep -c . pairs) + 10))" 1
grep -q '^pet: stopping; what was found so far.*at most 20 s.*Ctrl-C again' err || complain "Ctrl-C says nothing: $(cat err)"
grep -q '"changed": true' stopped.json || complain "what was found before Ctrl-C is lost"
grep -q '"stop": "stopped"' stopped.json || complain "the search was not stopped"
cmp -s tiny.onnx stopped.onnx && complain "what was found before Ctrl-C was not written"
stopped 11 2
grep -q '^pet: stopped; the original is written$' err || complain "the second Ctrl-C says nothing: $(cat err)"
same tiny.onnx stopped.onnx

# The reference: the whole way without Python or a worker.
with_real
"${PET_PYTHON:-$here/../../.venv/bin/python}" "$here/small_models.py" . || complain "the small models are not made"
export PET_PYTHON=/nowhere/python
expect 0 optimize transition.onnx -o faster.onnx --target reference --budget 10s --cache off --report reference.json
says '^speed .* in reference' out
grep -q '"name": "reference"' reference.json || complain "the report names another target"
grep -q '"verdict": "equivalent"' reference.json || complain "nothing was proved for the reference"
expect 0 bench transition.onnx faster.onnx --target reference --budget 2s
says '^reference ' out
says '^the second is' out
expect 0 optimize table.onnx -o out2.onnx --target reference --budget 10s
says "^unchanged  table.onnx: node 'look_up' (Gather) cannot be evaluated by the reference.*not interpreted" out
same table.onnx out2.onnx
rm -f out2.onnx
refused 3 "table.onnx: node 'look_up' (Gather)" bench table.onnx --target reference
expect 0 show faster.onnx
says 'optimised for reference' err
absent out2.onnx

# ONNX Runtime itself.
sed -z 's/\n\x02\x08\x01\n\x02\x08\x03\n\x02\x08@/\n\x02\x12\x00\n\x02\x08\x03\n\x02\x08@/' tiny.onnx >open.onnx
with_real
for _ in 1 2 3; do # a busy machine may leave a comparison undecided
  expect 0 optimize table.onnx -o out2.onnx --report table.json --cache off
  grep -q '"changed": true' table.json && break
done
grep -q '"changed": true' table.json || complain "beside a table nothing becomes faster: $(grep reason table.json)"
expect 0 bench table.onnx --budget 1s
for budget in 10s 20s 40s; do # outputs that are no tensors are compared by what they hold
  expect 0 optimize sequence.onnx -o out2.onnx --report sequence.json --cache off --budget $budget
  grep -q '"changed": true' sequence.json && break
done
grep -q '"changed": true' sequence.json || complain "beside a sequence nothing becomes faster: $(grep reason sequence.json)"
refused 4 "input extents: .*node 'view' (Reshape).*; the original was written" optimize extents.onnx -o out3.onnx
same extents.onnx out3.onnx
refused 4 "extents.onnx: input extents: .*node 'view' (Reshape)" bench extents.onnx
expect 0 optimize tiny.onnx -o out.onnx $quick
expect 0 optimize open.onnx -o out.onnx $quick --shape input:0=1
expect 0 bench open.onnx --shape input:0=1 --budget 1s
sed 's/GlobalAveragePool/GlobalAveragePooX/g' tiny.onnx >refused.onnx
expect 0 optimize refused.onnx -o out.onnx
says 'unchanged  .*onnxruntime: .*GlobalAveragePooX' out
same refused.onnx out.onnx
same tiny.onnx kept.onnx

finish
