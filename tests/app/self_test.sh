#!/bin/sh
# pet-verify self-test: self_test.sh PROGRAM CASES RULES
program=$1
cases=$2
rules=$3
. "$(dirname "$0")/expect.sh"

expect 0 self-test "$cases/mutants/d3_pad_and_crop.txt" "$cases/mutants/h2_cut_with_halo.txt" --mutate 25 --seed 5
says '^2 of 2 pairs broken' out
says '25 faults' out
says ' 0 called-equal, 0 contradicted' out
cp "$scratch/out" "$scratch/first"
expect 0 self-test "$cases/mutants/d3_pad_and_crop.txt" "$cases/mutants/h2_cut_with_halo.txt" --mutate 25 --seed 5 --jobs 1
sed 's/  [0-9.]* s$//' "$scratch/first" >"$scratch/a"
sed 's/  [0-9.]* s$//' "$scratch/out" >"$scratch/b"
cmp -s "$scratch/a" "$scratch/b" || complain "the same seed breaks in other ways"
expect 0 self-test "$rules/taso_graph_subst.json" --mutate 1 --format json --quiet
[ "$(wc -l <"$scratch/out")" -eq 133 ] || complain "not one object a rule"
says '"skipped":""' out

expect 3 self-test "$cases/mutants/figure_1.txt"
says 'figure_1.txt: not equivalent to begin with' out
says 'nothing was broken' err
expect 0 self-test --mutate 2 "$cases/mutants/figure_1.txt" "$cases/mutants/d3_pad_and_crop.txt"
expect 2 self-test --mutate 0
says mutate err
expect 2 self-test --seed -1
says seed err
refused 4 'nowhere.json' self-test "$scratch/nowhere.json"
mkdir "$scratch/none"
refused 4 'no pairs' self-test "$scratch/none"
finish
