#!/usr/bin/env python3
"""Writes the node test cases of the onnx package: as calls for operator_oracle and, if wanted, as models with data."""

import argparse
import contextlib
import io
import pathlib
import sys

import numpy as np
from onnx import numpy_helper, save

from calls import write_call


def cases():
    from onnx.backend.test.case.node import collect_testcases

    with contextlib.redirect_stdout(io.StringIO()):
        return [case for case in collect_testcases(None) if len(case.model.graph.node) == 1]


def save_model(folder, case):
    target = folder / case.name
    target.mkdir(parents=True, exist_ok=True)
    save(case.model, target / "model.onnx")
    for number, (inputs, outputs) in enumerate(case.data_sets):
        data = target / f"test_data_set_{number}"
        data.mkdir(exist_ok=True)
        for kind, names, arrays in (("input", case.model.graph.input, inputs), ("output", case.model.graph.output, outputs)):
            for i, array in enumerate(arrays):
                if isinstance(array, np.ndarray):
                    tensor = numpy_helper.from_array(array, names[i].name)
                    (data / f"{kind}_{i}.pb").write_bytes(tensor.SerializeToString())


def has_few_digits(array):
    return array.dtype == np.float32 and np.array_equal(np.round(array, 4).astype(np.float32), array)


def first_result_only(node):
    alone = type(node)()
    alone.CopyFrom(node)
    del alone.output[1:]
    return alone


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=pathlib.Path)
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--ops", nargs="*", help="operators to write; all if left out")
    arguments = parser.parse_args()
    written, left_out = 0, []
    out = arguments.calls.open("w") if arguments.calls else io.StringIO()
    for case in cases():
        node = case.model.graph.node[0]
        if node.domain or (arguments.ops and node.op_type not in arguments.ops):
            continue
        opset = next(o.version for o in case.model.opset_import if o.domain in ("", "ai.onnx"))
        inputs, outputs = case.data_sets[0]
        names = [i.name for i in case.model.graph.input]
        # The cases pass shapes and axes as graph inputs; a file would hold them as constants.
        operands = [None if name == "" else (inputs[names.index(name)], True) for name in node.input]
        # Some expected results were typed in with four digits.
        tolerance = 1e-3 if has_few_digits(np.asarray(outputs[0])) else 3e-5
        reason = write_call(out, case.name, node, opset, operands, outputs, tolerance)
        # What more results make opaque is still judged by the first one.
        if len(node.output) > 1 and node.op_type != "Split":
            write_call(out, case.name + "_first_result", first_result_only(node), opset, operands, outputs[:1])
        if reason:
            left_out.append(f"{case.name}: {reason}")
        else:
            written += 1
        if arguments.models:
            save_model(arguments.models, case)
    out.close()
    print(f"{written} calls written, {len(left_out)} left out", file=sys.stderr)
    for line in left_out:
        print("  " + line, file=sys.stderr)


if __name__ == "__main__":
    main()
