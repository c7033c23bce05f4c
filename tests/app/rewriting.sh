#!/bin/sh
# pet optimize by rewrite rules: rewriting.sh PROGRAM
program=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
. "$here/fake_workers.sh"
expect 0 models build densenet121 --tiny -o tiny.onnx
cp tiny.onnx kept.onnx

# Flags go with their search.
with_fake quick
refused 2 '--rules is a flag of --search taso and eqsat and mcts, not of --search pet' optimize tiny.onnx -o out.onnx --rules own
refused 2 '--depth is a flag of --search pet, not of --search taso' optimize tiny.onnx -o out.onnx --search taso --depth 3
refused 2 '--states is a flag of --search taso, not of --search eqsat' optimize tiny.onnx -o out.onnx --search eqsat --states 3
refused 2 '--tree-budget is a flag of --search mcts, not of --search eqsat' optimize tiny.onnx -o out.onnx --search eqsat --tree-budget 3
refused 2 'knapsack' optimize tiny.onnx -o out.onnx --search eqsat --extract knapsack
refused 2 '--blocks is a flag of --search taso and eqsat and mcts, not of --search pet' optimize tiny.onnx -o out.onnx --blocks off
refused 2 '--costs' optimize tiny.onnx -o out.onnx --search taso --costs guessed
refused 2 '--ilp-budget' optimize tiny.onnx -o out.onnx --search eqsat --ilp-budget soon
refused 2 'random' optimize tiny.onnx -o out.onnx --search random
refused 4 'nosuch.json' optimize tiny.onnx -o out.onnx --search taso --rules nosuch.json
absent out.onnx

# A way through with a runtime in which every candidate wins.
expect 0 optimize tiny.onnx -o out.onnx --search taso --rules own --budget 60s --report report.json --journal journal.jsonl
cmp -s tiny.onnx out.onnx && complain "nothing was changed"
same tiny.onnx kept.onnx
says 'rule own-pool2-through-conv where w\[2\] = 1 and w\[3\] = 1' out
grep -q '"apply_rule"' report.json || complain "the report does not name the rule"
[ -s report.certificate.json ] || complain "there is no certificate"
head -1 journal.jsonl | grep -q '"search":"taso".*"own-pool2-through-conv"' || complain "the journal does not name the search"
expect 0 replay journal.jsonl
says 'equal: ' out
expect 0 explain report.json
says 'own-pool2-through-conv' out

# Killed and gone on with: the same file.
head -c "$(($(wc -c <journal.jsonl) / 2))" journal.jsonl >half.jsonl
expect 0 optimize tiny.onnx -o again.onnx --resume half.jsonl
same out.onnx again.onnx

# A journal names the rules on the way, with their conditions and places.
expect 0 explain journal.jsonl
says 'rule own-pool2-through-conv where w.2. = 1 and w.3. = 1 at' out

# Operators as the runtime takes them: a replay measures nothing, and half a journal is gone on with.
expect 0 optimize tiny.onnx -o measured.onnx --search eqsat --extract dag --rules own --costs measured --budget 60s --cache off \
  --journal measured.jsonl
grep -q '"event":"operator_measured".*"what":"Conv' measured.jsonl || complain "no operator was measured"
head -1 measured.jsonl | grep -q '"measured_costs":true' || complain "the journal does not say that costs are measured"
expect 0 replay measured.jsonl
says 'equal: ' out
head -c "$(($(wc -c <measured.jsonl) / 2))" measured.jsonl >half.jsonl
expect 0 optimize tiny.onnx -o again.onnx --cache off --resume half.jsonl
same measured.onnx again.onnx

# Killed at twenty moments, each time gone on with, the same end.
first=$(head -1 journal.jsonl | wc -c)
size=$(wc -c <journal.jsonl)
for moment in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  head -c $((first + (size - first) * moment / 21)) journal.jsonl >half.jsonl
  expect 0 optimize tiny.onnx -o again.onnx --resume half.jsonl
  same out.onnx again.onnx
done
expect 0 replay half.jsonl
says 'equal: ' out

# The measuring worker is played by the shell; the solver is the real one.
root=$here/../..
printf 'exec "%s" "%s"\n' "$root/.venv/bin/python" "$root/app/solver_worker/worker.py" >solver.sh
export PET_SOLVER=$PWD/solver.sh

# The same in an e-graph: by equality saturation, and by tree search.
for search in eqsat mcts; do
  rm -f journal2.jsonl
  expect 0 optimize tiny.onnx -o $search.onnx --search $search --rules own --budget 60s --report $search.json --journal journal2.jsonl
  cmp -s tiny.onnx $search.onnx && complain "$search: nothing was changed"
  says 'rule own-pool2-through-conv where w\[2\] = 1 and w\[3\] = 1' out
  [ -s $search.certificate.json ] || complain "$search: there is no certificate"
  head -1 journal2.jsonl | grep -q '"search":"'$search'"' || complain "the journal does not name $search"
  grep -q '"event":"extracted","extractor":"ilp".*"optimal":true' journal2.jsonl || complain "$search: no optimum was found"
  expect 0 replay journal2.jsonl
  says 'equal: ' out
  # What no journal holds is told by a replay.
  expect 0 replay journal2.jsonl --trace 0
  says '"event":"extracted"' out
  [ $search = eqsat ] || says '"event":"tree_updated"' out
  refused 2 'no such block' replay journal2.jsonl --trace 99
  expect 0 explain $search.json
  says 'own-pool2-through-conv' out
  expect 0 explain journal2.jsonl
  says 'rule own-pool2-through-conv where w.2. = 1 and w.3. = 1 at' out
  # Cut off anywhere, and gone on with: the same file. The solver is not asked what it has answered.
  for part in 3 2; do
    head -c "$(($(wc -c <journal2.jsonl) / part))" journal2.jsonl >half.jsonl
    expect 0 optimize tiny.onnx -o again.onnx --resume half.jsonl
    same $search.onnx again.onnx
  done
  PET_SOLVER=/nonexistent expect 0 replay journal2.jsonl
  says 'equal: ' out
done
# Without a solver the best that is known is taken, and the reason told.
rm -f journal2.jsonl
PET_SOLVER=/nonexistent expect 0 optimize tiny.onnx -o none.onnx --search eqsat --rules own --budget 60s --journal journal2.jsonl
same eqsat.onnx none.onnx
grep -q '"extractor":"ilp".*"optimal":false.*PET_SOLVER' journal2.jsonl || complain "nobody says that there is no solver"

# E-graphs looked at and written; those of others read.
expect 0 egraph show tiny.onnx --rules own
says 'round 0: .* classes, .* nodes' out
says 'own-pool2-through-conv .* 3 places' out
says 'the way there:' out
expect 0 egraph export tiny.onnx --rules own -o graph.json
expect 0 egraph export tiny.onnx --rules own -o graph.dot
grep -q 'subgraph cluster_0' graph.dot || complain "this is nothing for Graphviz"
expect 0 egraph extract graph.json
says 'ilp .*the optimum' out
says 'dag ' out
expect 0 egraph extract graph.json --extract ilp,tree --format json
says '"optimal":true' out
echo '{"nodes": {"a": {"op": "f", "cost": 1, "eclass": "c", "children": ["a"]}}, "root_eclasses": ["c"]}' >round.json
refused 4 'round.json: class c is a root and every choice for it would need itself' egraph extract round.json
refused 4 'missing.json' egraph extract missing.json

# What a rule of the journal says may not change behind its back.
sed 's/"set":"own"/"set":"own2.json"/' journal.jsonl >moved.jsonl
sed 's/"kernel_h": 2/"kernel_h": 3/' "$2/own.json" >own2.json
refused 2 'not what they were' replay moved.jsonl

# A rule that is wrong is never applied, whatever its file says of it.
sed 's/"status": "conditional"/"status": "valid"/; s/"op": "poolavg", "inputs": \[{"in": "x"}\]/"op": "poolmax", "inputs": [{"in": "x"}]/' \
  "$2/own.json" >wrong.json
rm -f out.onnx
expect 0 optimize tiny.onnx -o out.onnx --search taso --rules wrong.json --budget 60s
says 'own-pool2-through-conv is not used: different' err
same tiny.onnx out.onnx

# Rules in words, and where they stand.
expect 0 rules list own --model tiny.onnx
says 'own-pool2-through-conv: conditional where w\[2\] = 1 and w\[3\] = 1' out
says 'places: fits, first at' out
expect 0 rules list wrong.json
says 'different' out

# What operators cost: measured once, remembered, or estimated without a runtime.
expect 0 costs tiny.onnx --threads 1 --cache costs.txt
says 'measured .* Conv(float' out
says '^sum .* ms, the whole file .* ms' out
expect 0 costs tiny.onnx --threads 1 --cache costs.txt --format json
says '"from":"remembered"' out
with_worker died
expect 0 costs tiny.onnx --estimates
says 'estimated .* Conv(float' out
refused 4 'nosuch.onnx' costs nosuch.onnx --estimates
with_fake quick

# Rules that stand for many: written, read again, and used at the forms that a model has.
expect 0 rules generalise own -o wide.json
says 'wide.json: 5 rules, 3 of them for many forms' out
refused 4 'nosuch.json' rules generalise nosuch.json -o none.json
absent none.json
expect 0 models build resnet18 --tiny -o resnet.onnx
expect 0 rules list wide.json --model resnet.onnx
says 'own-convs-with-bias-share-data: conditional where x\[1\] / w1\[1\] = 1' out
finish
