#!/usr/bin/env python3
"""Judges files of single operators (write_samples): the checker of the onnx package must take each one, and the results
that ONNX Runtime computes are written beside it for model_oracle. What no runtime runs is removed once it is checked.
With --random neither has to take all of them: what our definitions allow, and these do not, shows nothing wrong."""

import pathlib
import shutil
import sys

import onnx
from onnx.defs import onnx_opset_version
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented

from integer_cases import add_results


def is_of_missing_types(error, model):
    """Not all types that an operator takes by the standard have a kernel."""
    types = {value.type.tensor_type.elem_type for value in model.graph.input}
    return isinstance(error, NotImplemented) and types != {onnx.TensorProto.FLOAT}


def main():
    *flags, where = sys.argv[1:]
    is_random = flags == ["--random"]
    checked = refused = 0
    failures = []
    for folder in sorted(pathlib.Path(where).iterdir()):
        model = onnx.load(folder / "model.onnx")
        opset = model.opset_import[0].version
        if opset <= onnx_opset_version():
            try:
                onnx.checker.check_model(model, full_check=True)
                checked += 1
            except Exception as error:
                failures.append(f"{folder.name}: {error}")
        try:
            add_results(folder, model)
        except Exception as error:  # the runtime is older than the package, and knows fewer operator sets
            refused += 1
            if opset <= 20 and not is_of_missing_types(error, model):
                failures.append(f"{folder.name}: the runtime refuses it")
            shutil.rmtree(folder)
    if not is_random:
        print("\n".join(failures))
    print(f"{checked} files pass the checker, {len(failures)} do not; the runtime refuses {refused}")
    sys.exit(1 if not checked or (failures and not is_random) else 0)


main()
