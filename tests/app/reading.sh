#!/bin/sh
# Old operator sets, values that users keep or describe: reading.sh PET PET_VERIFY PYTHON
program=$1
verify=$2
PET_PYTHON=$3
export PET_PYTHON
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
cd "$scratch" || exit 1
"$PET_PYTHON" "$here/reading_files.py" . || exit 1

# An operator set that is too old is refused with what to do about it, and read where that is done.
refused 4 'operator set 8 is not supported.*--opset' show old.onnx
expect 0 show old.onnx --opset 13
says 'pet: old.onnx: operator set 8 made 13 by onnx [0-9.]*, 2 nodes before and 2 after' err
[ "$(wc -l <err)" -eq 1 ] || complain 'a conversion is told in more than one line'
expect 0 fold old.onnx --opset 13 -o folded.onnx
says '1 batch normalisations folded' out
expect 0 show folded.onnx
refused 2 'opset' show old.onnx --opset 8
refused 2 'opset' optimize old.onnx -o out.onnx --opset 13 --journal j.jsonl
expect 4 show nosuch.onnx --opset 13
head -c 100 old.onnx >damaged.onnx
refused 4 'onnx.version_converter does not make it operator set 13' show damaged.onnx --opset 13
program=$verify
expect 0 old.onnx folded.onnx --opset 13
expect 0 old.onnx old.onnx --opset 12
refused 2 'opset' . --opset 13
program=$1

# What is drawn for an input is what was asked for.
quick='--budget 1s --limits steps=1 --cache off'
# shellcheck disable=SC2086  # flags
{
  expect 0 optimize rows.onnx -o out.onnx $quick --fill tokens=0..4
  expect 0 optimize rows.onnx -o out.onnx $quick --fill tokens=5..5
  says 'unchanged .*bounds' out
  refused 2 'tokens=4..0: expected' optimize rows.onnx -o out.onnx $quick --fill tokens=4..0
  refused 2 'words: no file has an input' optimize rows.onnx -o out.onnx $quick --fill words=0..4
  refused 2 'no such numbers of type int64' optimize rows.onnx -o out.onnx $quick --fill tokens=0.2..0.8
  refused 2 'given twice' bench rows.onnx --fill tokens=0..4 --fill tokens=0..1
  expect 0 bench rows.onnx --budget 1s --fill tokens=0..4

  # Values in archives, by the names of the inputs.
  expect 0 optimize rows.onnx -o out.onnx $quick --input-data right
  refused 4 'input tokens: .*inputs.npz: there is no array of that name' optimize rows.onnx -o out.onnx $quick --input-data other
}
finish
