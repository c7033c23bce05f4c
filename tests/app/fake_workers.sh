# Sourced by the tests of pet: a folder of its own, workers that misbehave, what must not be left behind.
# REQUIRES: $here, and $bad_worker for with_worker; expect.sh is sourced.
cd "$scratch" || exit 1
# Nothing measured in an earlier run, and nothing of these for a later one.
export LC_ALL=C XDG_CACHE_HOME="$scratch"

# absent FILE...: none of them was left behind, nor a file that was only begun
absent() {
  for file; do
    [ ! -e "$file" ] || complain "$file was left behind"
  done
  for file in *.part-* *.probe-* .*.tmp.onnx; do
    [ ! -e "$file" ] || complain "the temporary $file was left behind"
  done
}

# same FILE FILE
same() { cmp -s "$1" "$2" || complain "$1 and $2 differ"; }

# with_worker NAME: the worker that misbehaves so
with_worker() {
  printf 'set -- %s\n. %s\n' "$1" "$bad_worker" >worker.sh
  export PET_PYTHON=/bin/sh PET_WORKER="$scratch/worker.sh"
}
with_fake() { export PET_PYTHON=/bin/sh PET_WORKER="$here/fake_runtime.sh" FAKE_RUNTIME="$1"; }
with_real() {
  unset PET_PYTHON PET_WORKER PET_WORKER_TIMEOUT FAKE_RUNTIME
  [ -z "$real_python" ] || export PET_PYTHON="$real_python"
  [ -z "$real_worker" ] || export PET_WORKER="$real_worker"
}
real_python=$PET_PYTHON
real_worker=$PET_WORKER
