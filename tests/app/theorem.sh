#!/bin/sh
# PET's own test on the command line: theorem.sh PROGRAM CASES
program=$1
cases=$2
. "$(dirname "$0")/expect.sh"

lacks() {
  if grep -q -- "$1" "$scratch/$2"; then complain "'$1' in $2"; fi
}

# Checked: one more engine, whose verdict the bitmap engine has to share.
expect 0 --engine theorem "$cases/mutants/figure_1.txt"
says 'partial' out
says '1792 of 100352 elements not equal' out
says 'engines: theorem partial, bitmap partial' out
expect 0 --engine theorem "$cases/adversarial/swapped_quarters.txt"
says 'as expected' out
expect 0 --engine theorem --format json "$cases/mutants/d3_pad_and_crop.txt"
says '"name": "theorem"' out
lacks '"evidence"' out

# As published it is fooled, and no evidence: in words, in JSON, by its exit code, whatever the case expects.
for case in adversarial/swapped_quarters adversarial/times_2_31 adversarial/sums_at_several_speeds; do
  expect 3 --engine theorem --as-published "$cases/$case.txt"
  says '^equivalent' out
  says 'NO EVIDENCE' out
  lacks 'expected' out
done
expect 3 --engine theorem --as-published "$cases/mutants/figure_1.txt"
says '^partial' out
expect 3 --engine theorem --as-published --format json "$cases/adversarial/swapped_quarters.txt"
says '"evidence": false' out
says '"exit_code": 3' out
says '"name": "theorem-as-published"' out
expect 3 --engine theorem --as-published "$cases/mutants"

# It is a form of that engine, and nothing rests on it.
expect 2 --as-published "$cases/adversarial/swapped_quarters.txt"
expect 2 --engine all --as-published "$cases/adversarial/swapped_quarters.txt"
for flag in --certificate --reduce; do
  expect 2 --engine theorem --as-published $flag "$scratch/written" "$cases/adversarial/swapped_quarters.txt"
  [ ! -e "$scratch/written" ] || complain "$flag wrote something"
done
expect 2 --engine theorem --as-published --cache "$scratch/cache" "$cases/mutants"
expect 2 --engine theorem --as-published --all-batches "$cases/adversarial/swapped_quarters.txt"

finish
