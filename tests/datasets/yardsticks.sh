#!/bin/sh
# yardsticks.sh PET PET-VERIFY: both yardsticks of a tiny ResNet3D-18 are proved equal to it, and compute the same
# numbers in ONNX Runtime. Five frames make short last tiles and single frames, sixteen the tiles of the real network.
set -eu
pet=$1
verify=$2
here=$(dirname "$0")
. "$here/../oracle/python.sh"
script=$here/../../datasets/yardsticks/resnet3d.py
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

prove() {  # prove NAME FRAMES ARGUMENTS...
  name=$1-$2
  "$pet" models build resnet3d18 --tiny --frames "$2" -o "$folder/original.onnx" >/dev/null
  shift 2
  "$python" "$script" "$@" "$folder/original.onnx" "$folder/$name.onnx"
  "$verify" "$folder/original.onnx" "$folder/$name.onnx" >"$folder/verdict" || { cat "$folder/verdict"; exit 1; }
  grep -q 'constants follow from' "$folder/verdict"
  "$python" "$here/same_numbers.py" "$folder/original.onnx" "$folder/$name.onnx"
  echo "ok: $name"
}

prove taps 16 taps
prove taps 5 taps
prove frames 16 frames
prove frames 5 frames
prove tiles-of-three 16 frames --tile 3
