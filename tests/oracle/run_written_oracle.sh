#!/bin/sh
# run_written_oracle.sh WRITER JUDGE: every operator in every operator set through the writer, the checker of the onnx
# package, ONNX Runtime and our reader. The Python is $PET_PYTHON or the project's environment.
set -eu
here=$(dirname "$0")
python=${PET_PYTHON:-$here/../../.venv/bin/python}
if ! "$python" -c 'import onnx, onnxruntime' 2>/dev/null; then
  echo "skipped: $python has no onnx and onnxruntime"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder" | sed 's/ set [0-9]*//' | sort | uniq -c
"$python" -W ignore "$here/written_cases.py" "$folder"
"$2" "$folder"
