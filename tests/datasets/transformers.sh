#!/bin/sh
# transformers.sh PET: each tiny transformer is a valid file that ONNX Runtime runs at two batches, and its forms, as PyTorch
# exports it today and did before, compute the same numbers.
set -eu
pet=$1
here=$(dirname "$0")
. "$here/../oracle/python.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for name in bert-base vit-b16 gpt2; do
  "$pet" models build "$name" --tiny -o "$folder/$name.onnx" >/dev/null
  "$pet" models build "$name-2021" --tiny -o "$folder/$name-2021.onnx" >/dev/null
  "$python" "$here/transformers.py" "$folder/$name.onnx" "$folder/$name-2021.onnx"
  echo "ok: $name"
done

"$pet" models build vit-b16-2023 --tiny -o "$folder/vit-b16-2023.onnx" >/dev/null
"$python" "$here/transformers.py" "$folder/vit-b16.onnx" "$folder/vit-b16-2023.onnx"
echo "ok: vit-b16-2023"
