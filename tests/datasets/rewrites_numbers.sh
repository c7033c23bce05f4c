#!/bin/sh
# rewrites_numbers.sh FOLDER: what ONNX Runtime computes of datasets/rewrites (rewrites.py).
set -eu
here=$(dirname "$0")
. "$here/../oracle/python.sh"
"$python" "$here/rewrites.py" "$1"
