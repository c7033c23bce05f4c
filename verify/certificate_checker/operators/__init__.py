"""The meaning of each operator, one a file, written from the ONNX specification: a new file here is a new operator."""
import importlib
import pkgutil

for _file in sorted(pkgutil.iter_modules(__path__), key=lambda file: file.name):
    importlib.import_module(f"{__name__}.{_file.name}")
