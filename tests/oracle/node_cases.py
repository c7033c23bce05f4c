#!/usr/bin/env python3
"""Writes the node test cases of the onnx package: as calls for operator_oracle and, if wanted, as models with data."""

import argparse
import contextlib
import io
import pathlib
import sys

import numpy as np
import onnx
from onnx import numpy_helper

from calls import write_call


def cases():
    from onnx.backend.test.case.node import collect_testcases

    with contextlib.redirect_stdout(io.StringIO()):
        return [case for case in collect_testcases(None) if len(case.model.graph.node) == 1 and not reads_no_number(case)]


def reads_no_number(case):
    """Meanings speak of numbers: what is none stays none, whatever a runtime makes of it."""
    arrays = [array for array in case.data_sets[0][0] if isinstance(array, np.ndarray)]
    return any(array.dtype.kind == "f" and np.isnan(array).any() for array in arrays)


# Operators whose float operands after the first a file holds as constants too.
WITH_CONSTANTS = {"BatchNormalization", "Clip", "LayerNormalization", "Pad"}


def bound_operands(node, arrays):
    """The cases pass shapes, axes and parameters as graph inputs; a file would hold them as constants."""
    later = [name for name in node.input[1:] if name and name != node.input[0]]
    return {name for name in later if node.op_type in WITH_CONSTANTS or arrays[name].dtype.kind != "f"}


def save_model(folder, name, case, results):
    """The case with its first `results` outputs."""
    target = folder / name
    data = target / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    inputs, outputs = case.data_sets[0]
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    graph, node = model.graph, model.graph.node[0]
    values = dict(zip((i.name for i in graph.input), inputs, strict=True))
    if all(isinstance(array, np.ndarray) for array in inputs):
        bound = bound_operands(node, values)
        graph.initializer.extend(numpy_helper.from_array(values[n], n) for n in sorted(bound))
        kept = [i for i in graph.input if i.name not in bound]
        del graph.input[:]
        graph.input.extend(kept)
    del graph.output[results:]
    del node.output[results:]
    onnx.save(model, target / "model.onnx")
    results = dict(zip((o.name for o in graph.output), outputs, strict=False))
    for kind, tensors in (("input", {i.name: values[i.name] for i in graph.input}), ("output", results)):
        for number, (name, array) in enumerate(tensors.items()):
            if isinstance(array, (np.ndarray, np.generic)):
                tensor = numpy_helper.from_array(np.asarray(array), name)
                (data / f"{kind}_{number}.pb").write_bytes(tensor.SerializeToString())


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
            save_model(arguments.models, case.name, case, len(node.output))
            if len(node.output) > 1 and node.op_type != "Split":
                save_model(arguments.models, case.name + "_first_result", case, 1)
    out.close()
    print(f"{written} calls written, {len(left_out)} left out", file=sys.stderr)
    for line in left_out:
        print("  " + line, file=sys.stderr)


if __name__ == "__main__":
    main()
