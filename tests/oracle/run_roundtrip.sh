#!/bin/sh
# run_roundtrip.sh TOOL [MODEL.onnx ...]: roundtrip.py.
set -eu
here=$(dirname "$0")
. "$here/python.sh"
"$python" -W ignore "$here/roundtrip.py" "$@"
