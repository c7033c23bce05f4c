#!/bin/sh
# device_check.sh PROGRAM FAKE_LIBRARIES CASES: on a fake GPU all is right; without one it says what is missing.
program=$1
fake=$2
cases=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
complain() {
  echo "FAILED: $*"
  exit 1
}
mkdir -p "$scratch/cases/ops" "$scratch/cases/mutants"
for name in ops/conv ops/gemm ops/softmax ops/where mutants/c1_dilation_phases_along_h; do
  cp "$cases/$name.txt" "$scratch/cases/$name.txt"
done
PET_CUDA_LIBRARIES=$fake "$program" --cases "$scratch/cases" --out "$scratch/out" >"$scratch/table" || complain "a fake GPU is wrong: $(cat "$scratch/table" "$scratch/out/conformance.json")"
grep -q '^conformance .* 0 wrong' "$scratch/table" || complain "no verdict: $(cat "$scratch/table")"
grep -q '^facts .*a fake GPU' "$scratch/table" || complain "no facts: $(cat "$scratch/table")"
for file in facts.json conformance.json table.txt; do
  [ -s "$scratch/out/$file" ] || complain "$file is not written"
done
echo "all right"
