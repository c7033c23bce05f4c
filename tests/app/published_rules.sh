#!/bin/sh
# pet-verify rules of the published rules: published_rules.sh PROGRAM RULES
program=$1
rules=$2
. "$(dirname "$0")/expect.sh"

# Every published rule is as its file says; what the file says decides nothing.
for file in taso_graph_subst tensat_rules taso_properties; do
  expect 0 rules "$rules/$file.json" --seed 11 --format json
  cp "$scratch/out" "$scratch/$file.jsonl"
  sed 's/"status": *"[^"]*"/"status": "valid"/; s/"valid_when"/"forgotten"/' "$rules/$file.json" >"$scratch/lies.json"
  expect 1 rules "$scratch/lies.json" --seed 11 --format json
  for which in "$scratch/$file.jsonl" "$scratch/out"; do
    sed 's/,"timing".*//; s/,"status":"[^"]*","as_expected":[a-z]*//; s/,"exit_code":[0-9]*//' "$which" >"$which.verdicts"
  done
  cmp -s "$scratch/$file.jsonl.verdicts" "$scratch/out.verdicts" || complain "$file: verdicts follow what the file says"
done
[ "$(wc -l <"$scratch/tensat_rules.jsonl")" -eq 139 ] || complain "not one object a rule"
says '"condition":"input_7\[1\] / input_10\[1\] = 1' taso_graph_subst.jsonl
says '"verdict":"conditional"' tensat_rules.jsonl
finish
