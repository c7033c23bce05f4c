#!/bin/sh
# A GPU that is not there, and workers behind a command: worker.sh PET PET_WORKER
program=$1
worker=$2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
export LC_ALL=C XDG_CACHE_HOME="$scratch"
unset PET_CUDA_WORKER
cd "$scratch" || exit 1
expect 0 models build csrnet --tiny -o m.onnx

# What it becomes on a GPU is known without one; how long it takes is not.
expect 0 profile m.onnx --without-times
says 'conv 16x16x3x3 dilation 2 pad 2 on 1x16x14x14, relu' out
says '6 launches of' out
refused 4 'an emulated device has no times' profile m.onnx --worker "$worker --backend cuda --emulate"
says '6 launches of' out
refused 4 'an emulated device has no times' bench m.onnx --budget 1s --worker "$worker --backend cuda --emulate"
export PET_CUDA_LIBRARIES="$scratch/none"
if ! "$worker" --backend cuda </dev/null >"$scratch/out" 2>"$scratch/err"; then
  says 'pet-worker: ' err
fi
# One that is there and cannot be loaded is another trouble than none. (Where another one is found this says nothing.)
mkdir -p broken
echo 'no library' >broken/libcuda.so.1
PET_CUDA_LIBRARIES="$scratch/broken" "$worker" --backend cuda </dev/null >"$scratch/out" 2>"$scratch/err"
if grep -q 'libcuda.so.1 ' "$scratch/err"; then
  says 'libcuda.so.1 cannot be loaded: .*broken/libcuda.so.1' err
fi
unset PET_CUDA_LIBRARIES

# The times of a GPU that is elsewhere. (data/profile.jsonl: of the fake GPU by the same command without a budget that ends it,
# every decision made "faster".)
export PET_CUDA_LIBRARIES="$scratch/none"
expect 0 models build resnet18 --tiny -o r.onnx
for run in 1 2; do
  expect 0 optimize r.onnx -o "r$run.onnx" --target cuda --profile "$here/data/profile.jsonl" --limits steps=400 --heap 2 --rounds 1 \
    --journal "r$run.jsonl"
  says '^speed      2.000x in cuda .* on NVIDIA H100' out
  says '^proof      equivalent' out
done
cmp -s r1.onnx r2.onnx || complain "the same profile makes other bytes the second time"
sed 's/,"t":[^}]*//; s/"seconds":[^,}]*//g' r1.jsonl >1.events
sed 's/,"t":[^}]*//; s/"seconds":[^,}]*//g' r2.jsonl >2.events
cmp -s 1.events 2.events || complain "the same profile makes another search the second time"
{ cat "$here/data/profile.jsonl"; echo '{"original": torn'; } >torn.jsonl
expect 0 optimize r.onnx -o torn.onnx --target cuda --profile torn.jsonl --limits steps=400 --heap 2 --rounds 1
says '1 lines are broken' err
cmp -s r1.onnx torn.onnx || complain "a torn line changes what is found"
# Where there are times nothing needs to be proved: what is left is done from the journal, here without a GPU or its times.
expect 0 optimize r.onnx --measure-only --journal only.jsonl --report only.json --target cuda --profile "$here/data/profile.jsonl" \
  --limits steps=400 --heap 2 --rounds 1
says '^measured   2.000x as fast as a whole, .*not proved' out
grep -q '"file_proved"' only.jsonl && complain "something is proved by --measure-only"
[ "$(ls ./*.onnx | wc -l)" = 5 ] || complain "--measure-only leaves a file: $(ls)"
sed "/file_measured/s/\"candidate\":\"./\"candidate\":\"x/" only.jsonl >doctored.jsonl
expect 0 optimize r.onnx -o only.onnx --resume only.jsonl
says '^proof      equivalent' out
cmp -s r1.onnx only.onnx || complain "proved later it is another file"
expect 0 replay only.jsonl
# What was recorded is used up: the fresh samples are those that were taken last.
sed '0,/"file_measured"/{/"file_measured"/s/"decision":"faster"/"decision":"undecided"/}' only.jsonl >first.jsonl
cmp -s only.jsonl first.jsonl && complain "the first look was not made undecided"
expect 0 optimize r.onnx -o first.onnx --resume first.jsonl
cmp -s only.onnx first.onnx || complain "the first look counts as fresh samples"
rm -f first.onnx
refused 3 "nobody recorded how these two files compare" optimize r.onnx -o doctored.onnx --resume doctored.jsonl
refused 2 'needs a --journal' optimize r.onnx --measure-only
refused 2 'output is required' optimize r.onnx
refused 2 'excludes' optimize r.onnx -o o.onnx --measure-only --journal only2.jsonl
# What it lacks is counted: here all that comes after the first comparison.
head -n 1 "$here/data/profile.jsonl" >short.jsonl
refused 3 'lacks 2 of the 3 comparisons' optimize r.onnx -o short.onnx --target cuda --profile short.jsonl --limits steps=400 --heap 2 --rounds 1
cmp -s r.onnx short.onnx || complain "without times something else than the original was written"
refused 3 'lacks 1 of the 1 comparisons' bench r.onnx --target cuda --profile short.jsonl
refused 2 'is of cuda on NVIDIA H100.*, and what is measured here is cuda tf32' \
  bench r.onnx --target cuda --precision tf32 --profile short.jsonl
refused 2 'cannot read the profile none' bench r.onnx --target cuda --profile none
refused 2 'that of the GPU of this machine' bench r.onnx --precision tf32
unset PET_CUDA_LIBRARIES

# Behind a command that shares no folder.
expect 0 bench m.onnx --budget 1s --worker "sh -c 'cd / && exec $worker --backend reference'"
says 'reference .* interleaved runs' out
refused 2 'none to choose' bench m.onnx --target cuda --threads 1
refused 2 'a quote stays open' bench m.onnx --worker "sh -c 'x"
refused 3 'starting the worker' bench m.onnx --worker 'false'
PET_CUDA_WORKER="$worker --backend reference" expect 0 bench m.onnx --target cuda --budget 1s
says 'reference' out
expect 0 optimize m.onnx -o faster.onnx --limits steps=3 --worker "$worker --backend reference"

# What a device can do orders candidates.
expect 0 calibrate --worker "$worker --backend reference" -o machine.json
says 'products .* TFLOP/s' out
grep -q '"multiply_adds_per_ms"' machine.json || complain "no machine: $(cat machine.json)"
expect 0 optimize m.onnx -o faster.onnx --limits steps=3 --worker "$worker --backend reference" --machine machine.json --journal machine.jsonl
grep -q '"machine":{"multiply_adds_per_ms"' machine.jsonl || complain "the journal does not say what estimates followed from"
expect 0 replay machine.jsonl
refused 2 'is of reference on .*, and what is measured here is cuda on' optimize r.onnx -o o.onnx --target cuda \
  --profile "$here/data/profile.jsonl" --machine machine.json
sed 's/"bytes_per_ms": [^,}]*/"bytes_per_ms": -1/' machine.json >odd.json
refused 2 'bytes_per_ms is not positive' optimize m.onnx -o o.onnx --worker "$worker --backend reference" --machine odd.json
refused 4 'an emulated device has no times' calibrate --worker "$worker --backend cuda --emulate"
# ONNX Runtime behind a command, where it is installed.
if "$worker" --version >"$scratch/out" 2>"$scratch/err"; then
  expect 0 bench m.onnx --budget 1s --worker "sh -c 'cd / && exec $worker'"
  says 'onnxruntime .* interleaved runs' out
  # What is no request is answered, and the worker stays.
  printf 'nonsense\n[1]\n\377\n{"id": 3, "op": 5}\n{"id": 4, "op": "get", "digest": "x", "offset": 0}\n' |
    "$worker" >"$scratch/out" 2>"$scratch/err" || complain "nonsense ends the worker: $(cat err)"
  [ "$(grep -c 'one JSON object a line' out)" = 3 ] || complain "nonsense is answered by $(cat out)"
  says '"build": "[0-9a-f]*", "options": {"precision": "fp32"' out
  says '"id": 3, "ok": false, "error": "unknown request 5"' out
  says "'x' is no digest" out
fi
program=$worker
expect 0 --backend reference --version
says 'pet-worker, protocol 2, reference' out
expect 2 --backend nonsense
finish
