#!/bin/sh
# device_check.sh PROGRAM FAKE_LIBRARIES CASES: on a fake GPU everything is computed right. (What a processor takes for launches
# decides now and then between two of the same: that counts as wrong, and is no fault of the check. Models that there is no time for are
# left out.)
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
for name in ops/gemm ops/softmax ops/where mutants/c1_dilation_phases_along_h; do
  cp "$cases/$name.txt" "$scratch/cases/$name.txt"
done
for phase in facts conformance operators models; do
  XDG_CACHE_HOME=$scratch PET_CUDA_LIBRARIES=$fake "$program" --tiny --only "$phase" --budget 40 --cases "$scratch/cases" \
    --out "$scratch/out" >"$scratch/$phase"
  code=$?
  [ "$code" = 0 ] || { [ "$phase" = models ] && [ "$code" = 1 ]; } || complain "$phase ends with $code: $(cat "$scratch/$phase")"
  [ -s "$scratch/out/$phase.json" ] || complain "$phase.json is not written"
done
grep -q '^facts .*a fake GPU' "$scratch/facts" || complain "no facts: $(cat "$scratch/facts")"
grep -q '^conformance .* 0 wrong' "$scratch/conformance" || complain "a fake GPU is wrong: $(cat "$scratch/out/conformance.json")"
grep -q '^operators *[1-9][0-9] rows' "$scratch/operators" || complain "no operators: $(cat "$scratch/operators")"
grep -q 'resnet18, batch 1 .* ms, . of . comparisons with itself' "$scratch/models" || complain "no models: $(cat "$scratch/models")"
echo "all right"
