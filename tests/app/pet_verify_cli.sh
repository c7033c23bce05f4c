#!/bin/sh
# Exit codes and output of pet-verify: pet_verify_cli.sh PROGRAM CASES
program=$1
cases=$2
failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# expect CODE ARGUMENTS...: leaves the output in $scratch/out and $scratch/err
expect() {
  code=$1
  shift
  "$program" "$@" >"$scratch/out" 2>"$scratch/err"
  got=$?
  if [ "$got" -ne "$code" ]; then
    echo "FAILED: pet-verify $* gave $got instead of $code"
    cat "$scratch/out" "$scratch/err"
    failed=1
  fi
}

# says TEXT FILE
says() {
  if ! grep -q -- "$1" "$scratch/$2"; then
    echo "FAILED: no '$1' in $2:"
    cat "$scratch/$2"
    failed=1
  fi
}

without_expectation() {
  grep -v '^# expect' "$cases/$1" >"$scratch/case.txt"
}

expect 0 --version
says 'pet-verify [0-9]' out
expect 0 --help
expect 2
expect 2 a.onnx b.onnx c.onnx
expect 2 --format yaml "$cases/adversarial/sub_swapped.txt"
expect 2 --error 2^3 "$cases/adversarial/sub_swapped.txt"
expect 2 --timeout soon "$cases/adversarial/sub_swapped.txt"
expect 2 --shape n "$cases/adversarial/sub_swapped.txt"

expect 0 "$cases/mutants/c4_dilation_phases_to_batch.txt"
says 'as expected' out
expect 0 "$cases/adversarial/declared_output_lies.txt"

without_expectation mutants/c4_dilation_phases_to_batch.txt
expect 0 "$scratch/case.txt"
without_expectation mutants/figure_1.txt
expect 1 "$scratch/case.txt"
says '2 boxes' out
says '1.786 %' out
expect 1 --format json "$scratch/case.txt"
says '"verdict": "partial"' out
says '"wrong": \[' out
expect 3 --timeout 0.000001s "$scratch/case.txt"
says 'no answer within' out
expect 3 --error 2^-100000 "$scratch/case.txt"
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

expect 0 --seed 5eed "$cases/mutants/c4_dilation_phases_to_batch.txt"
says '5eed (given)' out

[ "$failed" -eq 0 ] && echo "all as expected"
exit "$failed"
