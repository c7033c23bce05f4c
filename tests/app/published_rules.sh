#!/bin/sh
# pet-verify rules of a file of published rules: published_rules.sh PROGRAM FILE.json FOLDER
# What it says stays in FOLDER, for the tests that look at it in other ways.
program=$1
file=$2
folder=$3
. "$(dirname "$0")/expect.sh"

# Every published rule is as its file says; what the file says decides nothing.
expect 0 rules "$file" --seed 11 --format json
cp "$scratch/out" "$scratch/told.jsonl"
mkdir -p "$folder" && cp "$scratch/out" "$folder/$(basename "$file" .json).jsonl"
sed 's/"status": *"[^"]*"/"status": "valid"/; s/"valid_when"/"forgotten"/' "$file" >"$scratch/lies.json"
expect 1 rules "$scratch/lies.json" --seed 11 --format json
for which in "$scratch/told.jsonl" "$scratch/out"; do
  sed 's/,"timing".*//; s/,"status":"[^"]*","as_expected":[a-z]*//; s/,"exit_code":[0-9]*//' "$which" >"$which.verdicts"
done
cmp -s "$scratch/told.jsonl.verdicts" "$scratch/out.verdicts" || complain "verdicts follow what the file says"
case $file in
  *taso_graph_subst*) says '"condition":"input_7\[1\] / input_10\[1\] = 1' told.jsonl ;;
  *tensat_rules*)
    [ "$(wc -l <"$scratch/told.jsonl")" -eq 139 ] || complain "not one object a rule"
    says '"verdict":"conditional"' told.jsonl
    ;;
esac
finish
