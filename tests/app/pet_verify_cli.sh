#!/bin/sh
# Exit codes and output of pet-verify: pet_verify_cli.sh PROGRAM CASES
program=$1
cases=$2
. "$(dirname "$0")/expect.sh"

without_expectation() {
  grep -v '^# expect' "$cases/$1" >"$scratch/case.txt"
}

expect 0 --version
says 'pet-verify [0-9]' out
expect 0 --help
says 'pet-verify check CERT' out
says '^compare$' out
says '^rules$' out
says '^self-test$' out
says '^  Of a batch:$' out
expect 0 rules --help
says 'tensor-rules/1' out
expect 0 check --help
says 'usage: pet-check-certificate' out
refused 2 "unknown command 'ruels'; see --help" ruels file.json
refused 2 'FILE is required' compare
refused 2 'FILE is required' rules
refused 2 'not expected: --frob' self-test --frob
refused 2 FILE
refused 2 'models come in pairs' a.onnx b.onnx c.onnx
refused 2 --flag --flag a.onnx b.onnx
refused 4 missing.onnx missing.onnx missing.onnx
refused 2 yaml --format yaml "$cases/adversarial/sub_swapped.txt"
refused 2 2^3 --error 2^3 "$cases/adversarial/sub_swapped.txt"
refused 2 soon --timeout soon "$cases/adversarial/sub_swapped.txt"
refused 2 n --shape n "$cases/adversarial/sub_swapped.txt"

expect 0 "$cases/mutants/c4_dilation_phases_to_batch.txt"
says 'as expected' out
expect 0 compare "$cases/mutants/c4_dilation_phases_to_batch.txt"
says 'as expected' out
# Only the first word is a command; a file may be called like one.
mkdir "$scratch/cases" && cp "$cases/adversarial/sub_swapped.txt" "$scratch/cases"
(cd "$scratch" && "$program" --quiet cases && "$program" cases) >"$scratch/out" ||
  complain 'a folder that reads like a command'
says '1 of 1 equal or as expected' out
refused 4 'cannot read rules' --quiet rules
expect 0 "$cases/adversarial/declared_output_lies.txt"

without_expectation mutants/c4_dilation_phases_to_batch.txt
expect 0 "$scratch/case.txt"
without_expectation mutants/figure_1.txt
expect 1 "$scratch/case.txt"
says '2 boxes' out
says '1.786 %' out
expect 1 --format json "$scratch/case.txt"
says '"verdict": "partial"' out
says '"wrong_boxes": \[' out
says '"first_difference": \[' out
expect 1 --first-difference "$scratch/case.txt"
says 'only the first difference was asked for' out
says 'elements differ, [0-9]* undecided' out
refused 2 'excludes --regions' --first-difference --regions "$scratch/regions.json" "$scratch/case.txt"
expect 0 --first-difference "$cases/mutants/figure_1.txt" # what it expects takes every position
expect 3 --timeout 0.000001s "$scratch/case.txt"
says 'no answer within' out
expect 3 --error 2^-100000 "$scratch/case.txt"
refused 2 limit --limits time=5 "$scratch/case.txt"
refused 2 limit --limits steps=-1 "$scratch/case.txt"
grep -v '^# expect' "$cases/adversarial/sub_swapped.txt" >"$scratch/small.txt"
for engine in bitmap exact region smt; do
  expect 3 --limits steps=3 --engine $engine "$scratch/small.txt"
  says '^unknown: .*more than 3 steps' out
  expect 1 --limits steps=1000000 --engine $engine "$scratch/small.txt"
done
expect 3 --limits steps=1000000 --format json "$scratch/case.txt"
says '"reason": "more than 1000000 steps"' out
expect 1 --limits steps=100000000 "$scratch/case.txt"
without_expectation adversarial/relu_twice.txt
expect 3 "$scratch/case.txt"
without_expectation adversarial/outputs_in_another_order.txt
expect 1 "$scratch/case.txt"
without_expectation adversarial/unknown_operator.txt
expect 4 "$scratch/case.txt"
says 'Bernoulli' err
expect 4 --format json "$scratch/case.txt"
says '"verdict": "unsupported"' out

sed 's/^# expect.*/# expect: equivalent/' "$cases/adversarial/sub_swapped.txt" >"$scratch/case.txt"
expect 1 "$scratch/case.txt"
says 'NOT AS EXPECTED' out
sed 's/^# expect.*/# expect: maybe/' "$cases/adversarial/sub_swapped.txt" >"$scratch/case.txt"
expect 4 "$scratch/case.txt"

printf 'no model' >"$scratch/a.onnx"
expect 4 "$scratch/a.onnx" "$scratch/a.onnx"
says 'not an ONNX file' err
escape=$(printf 'a\033[31m.onnx')
expect 4 "$scratch/$escape" "$scratch/$escape"
says 'a.x1b' err

expect 0 --seed 5230 "$cases/mutants/c4_dilation_phases_to_batch.txt"
says '5230 (given)' out
refused 2 seed --seed 5eed "$cases/mutants/c4_dilation_phases_to_batch.txt"

# One pair in every format; a seed in every text, whoever was asked.
without_expectation adversarial/sub_swapped.txt
expect 1 --format junit "$scratch/case.txt"
says '<testsuite name="pet-verify" tests="1" failures="1"' out
for engine in bitmap exact region smt; do
  expect 1 --engine $engine "$scratch/case.txt"
  says 'proof_seed [0-9]' out
done
expect 1 --engine region --format json "$scratch/case.txt"
says '"identical": false' out
expect 0 --format json "$cases/adversarial/unknown_operator.txt"
says '"verdict": "unsupported"' out
says 'Bernoulli' out

# Several outputs: every one is listed, and a reason says of which it is.
cat >"$scratch/several.txt" <<'TEXT'
original (float[4] X) => (float[4] A, float[4] B) {
  r = Relu (X)
  A = Relu (r)
  B = Neg (X)
}
mutant (float[4] X) => (float[4] A, float[4] B) {
  A = Relu (X)
  B = Identity (X)
}
TEXT
expect 1 "$scratch/several.txt"
says '^different: output A: residues differ' out
expect 1 --format json "$scratch/several.txt"
says '"reason": "output A: residues differ' out
sed 's/B = Identity (X)/B = Concat <axis = 0> (X, X)/; s/mutant.*/mutant (float[4] X) => (float[4] A, float[8] B) {/' "$scratch/several.txt" >"$scratch/case.txt"
expect 1 "$scratch/case.txt"
says 'output A: unknown, 4 of 4 elements undecided' out
says 'output B: shape-mismatch, \[4\] in the first and \[8\] in the second' out
expect 1 "$scratch/several.txt" "$scratch/case.txt"
says 'several.txt: different: output A: ' out
sed 's/  r = .*//; s/Relu (r)/Relu (X)/' "$scratch/several.txt" >"$scratch/case.txt"
expect 1 "$scratch/case.txt" "$scratch/several.txt"
says 'case.txt: partial: output B different  ' out

# More axes than anybody has a meaning for.
cat >"$scratch/axes.txt" <<'TEXT'
original (float[1,1,2,2,2,2] X, float[1,1,1,1,1,1] W) => (float[1,1,2,2,2,2] Y) {
  Y = Conv (X, W)
}
mutant (float[1,1,2,2,2,2] X, float[1,1,1,1,1,1] W) => (float[1,1,2,2,2,2] Y) {
  Y = Conv (X, W)
}
TEXT
refused 4 'more than 3 spatial axes' "$scratch/axes.txt"
expect 4 --format json "$scratch/axes.txt"
says '"verdict": "unsupported"' out
printf '\n' >"$scratch/nothing.txt"
refused 4 'empty; a case holds two programs' "$scratch/nothing.txt"

# What would be ignored, or never read, is refused.
refused 2 'add --format json' --bitmap "$scratch/several.txt"
refused 4 'named twice' "$scratch/several.txt" "$scratch/several.txt" "$scratch/axes.txt"
refused 2 'given twice' --sizes N=1..2 --sizes N=3 "$scratch/case.txt"
refused 2 'given twice' --shape N=2 --sizes N=3 "$scratch/case.txt"
refused 2 'leaves a dimension of that name open' --shape N=2 "$scratch/case.txt"
refused 2 'models come in pairs' "$scratch/a.onnx"
refused 2 'whose seed was chosen is not certified' --seed 3 --certificate "$scratch/c.json" "$scratch/case.txt"
refused 2 'nothing above 2^-64 is certified' --error 2^-20 --certificate "$scratch/c.json" "$scratch/case.txt"
expect 1 --certificate "$scratch/c.json" "$scratch/case.txt"
says 'no certificate is written' err
refused 4 'cannot be read' rules "$scratch"
expect 4 self-test "$scratch/missing.txt"
says 'cannot read' out

# Masks drawn element by element left a single element of four unmasked now and then: these seeds said equivalent.
for seed in 19 22 123 155 210 237 345; do
  expect 0 --seed $seed "$cases/adversarial/lowest_float_as_mask_hides_product.txt"
done

# Stopped on the way: still one object.
"$program" --engine smt --format json "$cases/rounding/variance_expanded_behind_clip.txt" >"$scratch/out" 2>"$scratch/err" &
sleep 1
kill -TERM $!
wait $!
[ $? -eq 130 ] || complain "a stopped proof does not exit 130"
says '"verdict": "stopped"' out
says '"exit_code": 130' out
says stopped err
mkdir "$scratch/long"
cp "$cases/rounding/variance_expanded_behind_clip.txt" "$cases/adversarial/relu_twice.txt" "$scratch/long"
mv "$scratch/long/variance_expanded_behind_clip.txt" "$scratch/long/z.txt"
"$program" --engine smt --jobs 1 --format junit "$scratch/long" >"$scratch/out" 2>"$scratch/err" &
sleep 2
kill -TERM $!
wait $!
[ $? -eq 130 ] || complain "a stopped batch does not exit 130"
says 'tests="2" failures="0" errors="1"' out
says 'not looked at: 1 pairs' out

finish
