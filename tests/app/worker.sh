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
# ONNX Runtime behind a command, where it is installed.
if "$worker" --version >"$scratch/out" 2>"$scratch/err"; then
  expect 0 bench m.onnx --budget 1s --worker "sh -c 'cd / && exec $worker'"
  says 'onnxruntime .* interleaved runs' out
fi
program=$worker
expect 0 --backend reference --version
says 'pet-worker, protocol 2, reference' out
expect 2 --backend nonsense
finish
