#!/bin/sh
# pet-verify --reduce: reduce.sh PROGRAM CASES
program=$1
cases=$2
. "$(dirname "$0")/expect.sh"

# operators FILE: of both programs
operators() {
  grep -c '^ *[A-Za-z0-9_]* = ' "$scratch/$1"
}

# program_of NAME PADS: a network of eight layers
program_of() {
  cat <<TEXT
$1 (float[2, 6, 12, 12] X, float[8, 6, 3, 3] U, float[8] B, float[8, 8, 3, 3] V, float[8, 8, 1, 1] W) => (float[2, 8, 6, 6] Y) {
  a = Conv <pads = [1, 1, 1, 1]> (X, U, B)
  b = Relu (a)
  c = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (b)
  d = Conv <pads = [$2]> (c, V)
  e = Relu (d)
  f = Add (e, c)
  g = Conv (f, W)
  Y = Sigmoid (g)
}
TEXT
}

# Of all operators one has other pads.
{
  program_of original '1, 1, 1, 1'
  program_of mutant '0, 1, 2, 1'
} >"$scratch/wrong.txt"
expect 1 --seed 5 --reduce "$scratch/small.txt" "$scratch/wrong.txt"
says '^different' out
says 'small.txt: from [0-9]* operators and [0-9]* elements to 2 and [0-9]*, [0-9]* pairs tried' err
[ "$(operators small.txt)" -le 3 ] || complain "more than three operators: $(cat "$scratch/small.txt")"
expect 1 "$scratch/small.txt"
says '^different' out
expect 1 --format json "$scratch/small.txt"
expect 1 --seed 5 --reduce "$scratch/again.txt" --format json "$scratch/wrong.txt"
says '"verdict": "different"' out
cmp -s "$scratch/small.txt" "$scratch/again.txt" || complain "the same seed gives another case"

# What is wrong in part stays so, whatever the case expects.
for case in figure_1 c1_dilation_phases_along_h; do
  expect 0 --reduce "$scratch/small.txt" "$cases/mutants/$case.txt"
  expect 1 "$scratch/small.txt"
  says '^partial' out
done
expect 0 --reduce "$scratch/small.txt" "$cases/adversarial/relu_twice.txt"
expect 3 "$scratch/small.txt"
expect 0 --reduce "$scratch/small.txt" "$cases/adversarial/average_times_4.txt"
expect 1 "$scratch/small.txt"
expect 0 --reduce "$scratch/small.txt" "$cases/adversarial/one_output_wrong.txt"
expect 1 "$scratch/small.txt"

# Where no smaller case shows the same, the pair keeps its verdict.
cat >"$scratch/exchanged.txt" <<'TEXT'
original (float[2, 3] X) => (float[2, 3] P, float[2, 3] Q) {
  P = Relu (X)
  Q = Sigmoid (X)
}
mutant (float[2, 3] X) => (float[2, 3] Q, float[2, 3] R) {
  Q = Relu (X)
  R = Sigmoid (X)
}
TEXT
expect 1 --reduce "$scratch/none.txt" "$scratch/exchanged.txt"
says '^shape-mismatch' out

# With little time there is what was found so far.
expect 1 --timeout 5s --reduce "$scratch/small.txt" "$scratch/wrong.txt"
expect 1 "$scratch/small.txt"
says '^different' out

expect 0 --reduce "$scratch/none.txt" "$cases/mutants/d3_pad_and_crop.txt"
says 'nothing is reduced: .*no failure to be kept' err
[ ! -e "$scratch/none.txt" ] || complain "an equal pair was written as a case"
grep -v '^# expect' "$cases/mutants/figure_1.txt" >"$scratch/figure.txt"
expect 3 --timeout 0.000001s --reduce "$scratch/none.txt" "$scratch/figure.txt"
says 'nothing is reduced: no answer in time' err
refused 2 'one pair' --reduce "$scratch/none.txt" "$cases/mutants"
refused 2 'written over' --reduce "$scratch/wrong.txt" "$scratch/wrong.txt"
refused 2 'no folder' --reduce "$scratch/nowhere/small.txt" "$scratch/wrong.txt"
refused 4 'nowhere.txt' --reduce "$scratch/none.txt" "$scratch/nowhere.txt"

finish
