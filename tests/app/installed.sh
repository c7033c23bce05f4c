#!/bin/sh
# What `cmake --install` puts somewhere works from there: installed.sh BUILD_FOLDER CMAKE PYTHON
build=$1
cmake=$2
python=${PET_PYTHON:-$3}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
export LC_ALL=C XDG_CACHE_HOME="$scratch"
"$cmake" --install "$build" --prefix "$scratch/prefix" >"$scratch/out" 2>&1 || complain "cannot be installed: $(cat "$scratch/out")"
# A Python that writes down which worker it is to run.
printf '#!/bin/sh\necho "$1" >>"%s/started"\nexec "%s" "$@"\n' "$scratch" "$python" >"$scratch/python"
chmod +x "$scratch/python"
export PET_PYTHON="$scratch/python"
unset PET_WORKER
mkdir "$scratch/elsewhere"
cd "$scratch/elsewhere" || exit 1

program=$scratch/prefix/bin/pet
expect 0 --version
expect 0 models build densenet121 --tiny -o tiny.onnx
expect 0 optimize tiny.onnx -o out.onnx --limits steps=3
[ -s out.onnx ] || complain "the installed program wrote nothing"
grep -qx "$scratch/prefix/share/pet/runtime_worker/worker.py" "$scratch/started" || complain "another worker was started: $(cat "$scratch/started")"
expect 0 optimize tiny.onnx -o again.onnx --limits steps=3 --target reference
ln -s "$scratch/prefix/bin/pet" link
program=$scratch/elsewhere/link
: >"$scratch/started"
expect 0 bench tiny.onnx --budget 1s
grep -qx "$scratch/prefix/share/pet/runtime_worker/worker.py" "$scratch/started" || complain "through a link another worker was started"

program=$scratch/prefix/bin/pet-verify
expect 0 --version
expect 0 tiny.onnx out.onnx --certificate c.json
: >"$scratch/started"
expect 0 check c.json tiny.onnx out.onnx
grep -qx "$scratch/prefix/bin/pet-check-certificate" "$scratch/started" || complain "another checker was started: $(cat "$scratch/started")"
expect 0 self-test --mutate 1 --quiet
"$scratch/prefix/bin/pet-worker" --version | grep -q '^pet-worker, protocol 2, onnxruntime' || complain "pet-worker has no version"
finish
