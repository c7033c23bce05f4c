#!/bin/sh
# run_roundtrip.sh TOOL [MODEL.onnx ...]: roundtrip.py in $PET_PYTHON or the project's environment.
set -eu
here=$(dirname "$0")
python=${PET_PYTHON:-$here/../../.venv/bin/python}
if ! "$python" -c 'import onnx, onnxruntime' 2>/dev/null; then
  echo "skipped: $python has no onnx and onnxruntime"
  exit 77
fi
"$python" -W ignore "$here/roundtrip.py" "$@"
