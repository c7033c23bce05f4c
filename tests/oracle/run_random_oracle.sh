#!/bin/sh
# run_random_oracle.sh WRITER JUDGE NUMBER SEED: so many random single operators through the writer, ONNX Runtime and our reader.
set -eu
here=$(dirname "$0")
. "$here/python.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder" "$3" "$4"
"$python" -W ignore "$here/written_cases.py" --random "$folder"
"$2" "$folder"
