#!/bin/sh
# Programs with corrections from end to end: corrected.sh PET PET_VERIFY PYTHON
program=$1
verify=$2
python=${PET_PYTHON:-$3}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
cd "$scratch" || exit 1
export LC_ALL=C XDG_CACHE_HOME="$scratch"
"$python" "$here/small_models.py" . || exit 1

# holds FILE: it is proved equal to the original, and ONNX Runtime computes the same with both
holds() {
  "$verify" seams.onnx "$1" >out 2>err || complain "$1 is not proved: $(cat out err)"
  "$python" - "$1" <<'END' || complain "$1 computes something else"
import sys
import numpy as np
import onnxruntime

x = np.random.default_rng(3).standard_normal((2, 32, 28, 28)).astype(np.float32)
files = ("seams.onnx", sys.argv[1])
a, b = (onnxruntime.InferenceSession(f, providers=["CPUExecutionProvider"]).run(None, {"x": x})[0] for f in files)
sys.exit(0 if np.abs(a - b).max() <= 1e-5 * np.abs(a).max() else 1)
END
}

# Each way of correcting, asked for by name.
for mutant in "join 2 of axis 0 along axis 3" "cut axis 2 in 2"; do
  for way in "corrected by recomputing" "corrected in the batch of the main operator"; do
    expect 0 mutants seams.onnx --at output --take "$mutant, $way" -o taken.onnx
    says "$way" out
    cmp -s seams.onnx taken.onnx && complain "$mutant, $way: nothing was changed"
    holds taken.onnx
    rm -f taken.onnx
  done
done
refused 2 'cannot be corrected so' mutants seams.onnx --at output --take "cut axis 2 in 2, corrected by prayer" -o taken.onnx
refused 2 'cannot be taken: a piece' mutants seams.onnx --at output --take "cut axis 2 in 4, corrected by recomputing" -o taken.onnx
[ ! -e taken.onnx ] || complain "taken.onnx was left behind"
expect 0 mutants extents.onnx
says 'no linear operators' out

# Counted: what is not checked in time is called so.
expect 0 models build operators/dilated3x3-128to64 --tiny -o dilated.onnx
for budget in 120s 1ms; do
  expect 0 mutants dilated.onnx --counts --budget $budget --format json
  "$python" - out $budget <<'END' || complain "the counts of $budget do not add up: $(cat out)"
import json
import sys

for line in open(sys.argv[1]):
    c = json.loads(line)
    assert c["places"] == 1 and c["operators"] == "Conv"
    assert c["equal"] + c["partial"] + c["different"] + c["undecided"] + c["not_checked"] == c["distinct"] <= c["generated"]
    if sys.argv[2] == "1ms":
        assert c["not_checked"] > 0 and not c["all_generated"]
        assert c["equal"] == c["partial"] == 0 < c["likely_equal"]
    else:
        assert c["equal"] > 0 and 0 < c["corrected"] <= c["partial"] and c["not_checked"] == 0
END
done
expect 0 mutants dilated.onnx --counts --budget 1ms
says 'generated *distinct *equal *partial *corrected' out
refused 2 'budget' mutants dilated.onnx --counts --budget soon

# The whole search with a runtime in which every candidate wins: what it chooses of the mutants that are wrong
# somewhere has a correction in it.
PET_PYTHON=/bin/sh PET_WORKER="$here/fake_runtime.sh" "$program" optimize seams.onnx -o faster.onnx --only partial \
  --budget 60s --rounds 1 --heap 8 --cache off --report report.json --journal journal.jsonl >out 2>err ||
  complain "optimize --only partial: $(cat out err)"
grep -q '"changed": true' report.json || complain "nothing was changed: $(grep reason report.json)"
grep -q '"corrections": 1' report.json || complain "nothing that was chosen is corrected"
grep -q '"verdict": "equivalent"' report.json || complain "the corrected file is not proved"
for way in "recomputing" "in the batch of the main operator"; do
  grep -q "\"move\":\"correct\",\"way\":\"$way\"" journal.jsonl || complain "the search does not try to correct $way"
done
holds faster.onnx

# programs FILE: those of the changed places, before and after
programs() { "$program" explain "$1" | sed -n '/^was$/,/^tried/p'; }
programs report.json >of_report
programs journal.jsonl >of_journal
grep -q '^became' of_journal || complain "the journal's places have no programs"
cmp -s of_report of_journal || complain "the journal's places are not the report's: $(diff of_report of_journal)"
expect 0 explain journal.jsonl --html page.html
if command -v dot >/dev/null; then
  grep -q '<svg' page.html || complain "the journal's places have no graphs"
fi
mv seams.onnx moved.onnx
expect 0 explain journal.jsonl
says 'There are no graphs: the model seams.onnx is no longer there' out
expect 0 explain journal.jsonl --model moved.onnx
says '^became' out
cp branches.onnx seams.onnx
expect 0 explain journal.jsonl
says 'There are no graphs: the journal is of another model' out
says '^1. Conv' out

finish
