#!/bin/sh
# run_operator_oracle.sh PROGRAM: writes the calls and lets the program judge them.
set -eu
here=$(dirname "$0")
. "$here/python.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
operators=$("$1" --list)
"$python" -W ignore "$here/node_cases.py" --calls "$folder/node.txt" --ops $operators
"$python" -W ignore "$here/runtime_cases.py" --calls "$folder/runtime.txt" --ops $operators --number 40
"$1" "$folder/node.txt" "$folder/runtime.txt"
