#!/bin/sh
# run_written_oracle.sh WRITER JUDGE: every operator in every operator set through the writer, the checker of the onnx
# package, ONNX Runtime and our reader.
set -eu
here=$(dirname "$0")
. "$here/python.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder" | sed 's/ set [0-9]*//' | sort | uniq -c
"$python" -W ignore "$here/written_cases.py" "$folder"
"$2" "$folder"
