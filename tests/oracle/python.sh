# For the scripts beside it, once $here is this folder: $python is $PET_PYTHON or that of the project's environment. Where
# it lacks onnx or onnxruntime the test is skipped (exit 77).
python=${PET_PYTHON:-$here/../../.venv/bin/python}
if ! "$python" -c 'import onnx, onnxruntime' 2>/dev/null; then
  echo "skipped: $python has no onnx and onnxruntime"
  exit 77
fi
