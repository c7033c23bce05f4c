#!/bin/sh
# device_check.sh PROGRAM FAKE_LIBRARIES CASES STORE: on a fake GPU everything is computed right, it ends whatever hangs, and what it
# leaves can be stored. (What a processor takes for launches decides now and then between two of the same: that counts as wrong, and is
# no fault of the check. Models that there is no time for are left out.)
program=$1
fake=$2
cases=$3
store=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
complain() {
  echo "FAILED: $*"
  exit 1
}
mkdir -p "$scratch/cases/ops" "$scratch/cases/mutants"
for name in ops/gemm ops/softmax mutants/c1_dilation_phases_along_h mutants/h1_join_with_halo; do
  cp "$cases/$name.txt" "$scratch/cases/$name.txt"
done
export XDG_CACHE_HOME="$scratch" PET_CUDA_LIBRARIES="$fake"
# phase NAME BUDGET
phase() {
  "$program" --tiny --only "$1" --budget "$2" --cases "$scratch/cases" --peers "${store%/*}/../app/device_check/peers.py" \
    --out "$scratch/out" >"$scratch/$1"
  code=$?
  case $1$code in
    *0 | facts1 | models1) ;;
    *) complain "$1 ends with $code: $(cat "$scratch/$1")" ;;
  esac
  [ -s "$scratch/out/$1.json" ] || complain "$1.json is not written"
}
"$program" --only nothing >"$scratch/usage" 2>&1
[ $? = 2 ] || complain "a phase that there is none of: $(cat "$scratch/usage")"
PET_CUDA_LIBRARIES="$scratch" "$program" --only facts --out "$scratch/none" >"$scratch/none.log" 2>&1
[ $? = 3 ] || [ -s "$scratch/none/facts.json" ] || complain "without a device: $(cat "$scratch/none.log")"
phase facts 30
phase conformance 60
phase operators 90
phase models 45
phase peers 10
grep -q '^facts .*a fake GPU.* of [0-9]* comparisons with itself' "$scratch/facts" || complain "no facts: $(cat "$scratch/facts")"
grep -q '^conformance .* 0 wrong' "$scratch/conformance" || complain "a fake GPU is wrong: $(cat "$scratch/out/conformance.json")"
grep -q '^operators *[1-9][0-9] rows' "$scratch/operators" || complain "no operators: $(cat "$scratch/operators")"
grep -q 'h1_join_with_halo .*original .* ms, mutant .* ms' "$scratch/operators" || complain "no mutants: $(cat "$scratch/operators")"
grep -q '"tf32"' "$scratch/out/operators.json" || complain "nothing in TF32"
grep -q '^  [a-z0-9-]*, batch [0-9]* .* ms, both at least' "$scratch/models" || complain "no models: $(cat "$scratch/models")"
grep -q 'PyTorch' "$scratch/peers" || complain "nothing is said of PyTorch: $(cat "$scratch/peers")"
[ -s "$scratch/out/profile.jsonl" ] || complain "no profile"
tar -tzf "$scratch/out/journals.tar.gz" | grep -q 'journals/.*both.jsonl' || complain "no journals"
[ "$(ls "$scratch/out" | wc -l)" -le 8 ] || complain "more than 8 files: $(ls "$scratch/out")"

# A driver that hangs at the first graph: the budget holds.
begin=$(date +%s)
PET_FAKE_HANG=1 "$program" --tiny --budget 10 --cases "$scratch/cases" --out "$scratch/hung" >"$scratch/hung.txt" 2>"$scratch/hung.err"
code=$?
[ "$code" = 1 ] || complain "a device that hangs gives $code"
[ $(($(date +%s) - begin)) -le 12 ] || complain "a device that hangs takes $(($(date +%s) - begin)) s of a budget of 10"
grep -q 'the budget is spent' "$scratch/hung.err" || complain "nobody says that the budget is spent"

# Into a tree, where all is right; not where something is wrong.
mkdir -p "$scratch/tree/datasets/devices" "$scratch/tree/gpu"
echo '# gpu' >"$scratch/tree/gpu/README.md"
sed 's/"decided": [0-9]*/"decided": 0/' "$scratch/out/facts.json" >"$scratch/facts.json" && mv "$scratch/facts.json" "$scratch/out/facts.json"
# refused WHY FILE SED: what is stored after that change of a file is nothing
refused() {
  cp -r "$scratch/out" "$scratch/altered"
  sed "$3" "$scratch/out/$2" >"$scratch/altered/$2"
  "$store" "$scratch/altered" --root "$scratch/tree" >/dev/null 2>"$scratch/err" && complain "stored: $1"
  grep -q "$1" "$scratch/err" || complain "not refused for '$1': $(cat "$scratch/err")"
  [ -z "$(ls "$scratch/tree/datasets/devices")" ] || complain "something is stored of what is refused"
  rm -r "$scratch/altered"
}
refused 'cases are computed wrong' conformance.json 's/"wrong": 0/"wrong": 1/'
refused 'were decided' facts.json 's/"decided": 0/"decided": 2/'
refused 'is of another' profile.jsonl '1s/"device":"[^"]*"/"device":"another"/'
refused 'profile.jsonl:2 is no comparison' profile.jsonl '2s/"a_ns":\[[0-9]*/"a_ns":[0/'
refused 'profile.jsonl:1 is no comparison' profile.jsonl '1s/}$//'
for run in 1 2; do
  "$store" "$scratch/out" --root "$scratch/tree" >"$scratch/stored" || complain "not stored, the ${run}th time"
done
cmp -s "$scratch/out/profile.jsonl" "$scratch/tree/datasets/profiles/a-fake-gpu.jsonl" || complain "the profile is not what was measured"
grep -q '"deviceName":"a fake GPU"' "$scratch/tree/datasets/devices/a-fake-gpu.json" || complain "no device"
[ "$(grep -c '^| a fake GPU' "$scratch/tree/gpu/README.md")" = 1 ] || complain "no line, or two: $(cat "$scratch/tree/gpu/README.md")"
echo "all right"
