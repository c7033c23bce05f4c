#!/bin/sh
# run_integer_oracle.sh PROGRAM: writes models of shape arithmetic with the results of the runtime and lets the program
# judge; nothing may be opaque.
set -eu
here=$(dirname "$0")
. "$here/python.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -W ignore "$here/integer_cases.py" --models "$folder"
"$1" "$folder" | tee "$folder.log"
none=$(grep -c ' 0 opaque ' "$folder.log" || true)
rm -f "$folder.log"
[ "$none" = 1 ]
