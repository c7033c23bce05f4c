#!/bin/sh
# run_operator_oracle.sh PROGRAM: writes the calls and lets the program judge them. The Python that has onnx and
# onnxruntime is $PET_PYTHON or the project's environment.
set -eu
here=$(dirname "$0")
python=${PET_PYTHON:-$here/../../.venv/bin/python}
if ! "$python" -c 'import onnx, onnxruntime' 2>/dev/null; then
  echo "skipped: $python has no onnx and onnxruntime"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
operators=$("$1" --list)
"$python" -W ignore "$here/node_cases.py" --calls "$folder/node.txt" --ops $operators
"$python" -W ignore "$here/runtime_cases.py" --calls "$folder/runtime.txt" --ops $operators --number 40
"$1" "$folder/node.txt" "$folder/runtime.txt"
