#!/bin/sh
# pet-verify rules: rules.sh PROGRAM RULES TOLD
# TOLD: a folder with what the program says of RULES (published_rules.sh)
program=$1
rules=$2
told=$3
. "$(dirname "$0")/expect.sh"

# The table in the repository is what the program says.
python3 "$rules/write_table.py" "$program" --told "$told" >"$scratch/verdicts.md" || complain "no table"
cmp "$rules/verdicts.md" "$scratch/verdicts.md" || complain "verdicts.md is not what pet-verify says: write_table.py writes it"

# A rule that is wrong everywhere, one that is right where two sizes are equal, and what is no rule.
rule() { # ID SOURCE_OPS TARGET_OPS INPUTS
  printf '{"format": "tensor-rules/1", "rules": [{"id": "%s", "inputs": [%s], "source": {"ops": [%s], "outputs": [{"op": 0}]}, "target": {"ops": [%s], "outputs": [{"op": 0}]}}]}\n' "$1" "$4" "$2" "$3"
}
x='{"name": "x", "rank": 2}'
rule wrong '{"op": "ewadd", "inputs": [{"in": "x"}, {"in": "x"}]}' '{"op": "ewmul", "inputs": [{"in": "x"}, {"in": "x"}]}' "$x" >"$scratch/r.json"
expect 1 rules "$scratch/r.json"
says 'wrong: different' out
rule square '{"op": "transpose", "inputs": [{"in": "x"}], "attrs": {"perm": [0, 1]}}' '{"op": "transpose", "inputs": [{"in": "x"}], "attrs": {"perm": [1, 0]}}' "$x" >"$scratch/r.json"
expect 1 rules "$scratch/r.json"
says 'square: conditional where x\[0\] = 1 and x\[1\] = 1' out
# Draws alone never met a row here; nor do they often meet one row and one column.
expect 1 rules "$scratch/r.json" --seed 1551318953887785941
says 'square: conditional where x\[0\] = 1 and x\[1\] = 1' out
times_turned() { # NUMBER INPUT PERM: operators NUMBER and the next one, the input turned times itself
  printf '{"op": "transpose", "inputs": [{"in": "%s"}], "attrs": {"perm": [%s]}}, {"op": "ewmul", "inputs": [{"op": %s}, {"in": "%s"}]}' "$2" "$3" "$1" "$2"
}
printf '{"format": "tensor-rules/1", "rules": [{"id": "rows", "inputs": [{"name": "x", "rank": 3}, {"name": "y", "rank": 3}], "source": {"ops": [%s, %s], "outputs": [{"op": 1}, {"op": 3}]}, "target": {"ops": [%s, %s], "outputs": [{"op": 1}, {"op": 3}]}}]}' \
  "$(times_turned 0 x '0, 1, 2')" "$(times_turned 2 y '0, 1, 2')" "$(times_turned 0 x '1, 0, 2')" "$(times_turned 2 y '0, 2, 1')" >"$scratch/rows.json"
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
  expect 1 rules "$scratch/rows.json" --seed $seed
  says 'rows: conditional where x\[0\] = 1 and y\[1\] = 1' out
done
# What is the same as far as windows cover all that there is, also where the size of the pools' operand follows from another;
# what is the same but at one place of a large stride.
pool() { # OPERAND KERNEL STRIDE
  printf '{"op": "poolavg", "inputs": [{%s}], "attrs": {"kernel_h": %s, "kernel_w": 1, "stride_h": %s, "stride_w": 1, "padding": "SAME"}}' "$1" "$2" "$3"
}
x='{"name": "x", "rank": 4}'
plus='{"op": "ewadd", "inputs": [{"op": 1}, {"in": "y"}]}'
rule covered "$(pool '"in": "x"' 13 1), $(pool '"op": 0' 15 1), $plus" "$(pool '"in": "x"' 15 1), $(pool '"op": 0' 13 1), $plus" \
  "$x, {\"name\": \"y\", \"rank\": 4}" | sed 's/"outputs": \[{"op": 0}\]/"outputs": [{"op": 2}]/g' >"$scratch/covered.json"
rule strided "$(pool '"in": "x"' 3 16)" "$(pool '"in": "x"' 3 8), $(pool '"op": 0' 1 2)" "$x" |
  sed 's/"outputs": \[{"op": 0}\]}}/"outputs": [{"op": 1}]}}/' >"$scratch/strided.json"
for seed in 1 2 3 4 5 6 7 9 15 19 31 35; do
  expect 3 rules "$scratch/covered.json" --seed $seed
  expect 3 rules "$scratch/strided.json" --seed $seed
done
# Equal shapes are no matter of course.
rule shapes '{"op": "matmul", "inputs": [{"in": "x"}, {"in": "y"}], "attrs": {"activation": "NONE"}}' \
  '{"op": "matmul", "inputs": [{"in": "y"}, {"in": "x"}], "attrs": {"activation": "NONE"}}' \
  '{"name": "x", "rank": 2}, {"name": "y", "rank": 2}' >"$scratch/shapes.json"
expect 1 rules "$scratch/shapes.json" --seed 1
says 'shapes: conditional where x\[0\] = 1 and x\[1\] = 1' out
expect 3 rules "$scratch/rows.json" --timeout 0.000001s
says 'rows: unknown, .* nothing was known after' out
expect 2 rules "$scratch/r.json" --timeout soon
says soon err
for bad in '[]' '{}' '{"format": "tensor-rules/2", "rules": []}' '{"format": "tensor-rules/1", "rules": [{}]}' '{"format": "tensor-rules/1", "rules": [1]}' \
  '{"format": "tensor-rules/1", "rules": [{"id": "a", "inputs": [{"name": "x", "rank": 99}], "source": {}, "target": {}}]}' 'no'; do
  echo "$bad" >"$scratch/r.json"
  refused 4 'r.json' rules "$scratch/r.json"
done
rule twice '{"op": "relu", "inputs": [{"in": "x"}]}' '{"op": "relu", "inputs": [{"in": "x"}]}' "$x" >"$scratch/once.json"
sed 's/"rules": \[\(.*\)\]}$/"rules": [\1, \1]}/' "$scratch/once.json" >"$scratch/r.json"
refused 4 'two rules are called "twice"' rules "$scratch/r.json"
sed 's/"rules": .*/"rules": []}/' "$scratch/once.json" >"$scratch/r.json"
refused 4 'holds no rule' rules "$scratch/r.json"
sed 's/"rules"/"count": 7, "rules"/' "$scratch/once.json" >"$scratch/r.json"
refused 4 '"count" says 7, and it holds 1' rules "$scratch/r.json"
rule unknown '{"op": "conv9", "inputs": [{"in": "x"}]}' '{"op": "relu", "inputs": [{"in": "x"}]}' "$x" >"$scratch/r.json"
expect 4 rules "$scratch/r.json"
says 'conv9' out
refused 4 'cannot be read' rules "$scratch/none.json"
expect 2 rules
says FILE err
expect 0 rules --help

finish
