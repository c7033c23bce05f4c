#!/usr/bin/env python3
"""Writes models of integer shape arithmetic with the results that ONNX Runtime computes, for model_oracle."""

import argparse
import pathlib

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

I64, F = TensorProto.INT64, TensorProto.FLOAT
TYPES = {np.dtype(t): helper.np_dtype_to_tensor_dtype(np.dtype(t)) for t in (np.int64, np.int32, np.bool_, np.float32)}


class Sheet:
    """A graph under construction: constants and nodes by name."""

    def __init__(self, opset):
        self.opset, self.nodes, self.constants, self.number = opset, [], [], 0

    def constant(self, values, dtype=np.int64):
        self.number += 1
        self.constants.append(numpy_helper.from_array(np.array(values, dtype=dtype), f"c{self.number}"))
        return f"c{self.number}"

    def node(self, op, inputs, results=1, **attrs):
        self.number += 1
        outputs = [f"v{self.number}_{k}" for k in range(results)]
        self.nodes.append(helper.make_node(op, inputs, outputs, **attrs))
        return outputs[0] if results == 1 else outputs

    def axes(self, op, operand, axes):
        if self.opset < 13:
            return self.node(op, [operand], axes=axes)
        return self.node(op, [operand, self.constant(axes)])

    def model(self, inputs, outputs):
        graph = helper.make_graph(self.nodes, "g", [helper.make_tensor_value_info(*i) for i in inputs],
                                  [onnx.ValueInfoProto(name=name) for name in outputs], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)


def heads(opset):
    """x.view(n, s, heads, -1).transpose(1, 2), as exported with open sizes; then back again."""
    g = Sheet(opset)
    shape = g.node("Shape", ["x"])
    n, s, e = (g.axes("Unsqueeze", g.node("Gather", [shape, g.constant(k)], axis=0), [0]) for k in range(3))
    split = g.node("Reshape", ["x", g.node("Concat", [n, s, g.constant([4]), g.node("Div", [e, g.constant([4])])], axis=0)])
    turned = g.node("Transpose", [split], perm=[0, 2, 1, 3])
    back = g.node("Transpose", [turned], perm=[0, 2, 1, 3])
    last = g.node("Mul", [g.constant([4]), g.node("Slice", [g.node("Shape", [turned]), g.constant([-1]), g.constant([2**63 - 1])])])
    whole = g.node("Reshape", [back, g.node("Concat", [n, s, last], axis=0)])
    return g.model([("x", F, [2, 3, 8])], [turned, whole])


def view(opset):
    """x.view(x.shape[0], -1), with the casts and squeezes of several exporters."""
    g = Sheet(opset)
    n = g.node("Cast", [g.node("Gather", [g.node("Shape", ["x"]), g.constant(0)])], to=TensorProto.INT32)
    n = g.axes("Unsqueeze", g.node("Cast", [n], to=I64), [0])
    return g.model([("x", F, [3, 2, 2])], [g.node("Reshape", ["x", g.node("Concat", [n, g.constant([-1])], axis=0)])])


def expand(opset):
    """x.expand(2, -1, -1): the -1 is chosen by Equal and Where over ConstantOfShape."""
    g = Sheet(opset)
    wanted = g.constant([2, -1, -1])
    ones = g.node("ConstantOfShape", [g.node("Shape", [wanted])], value=numpy_helper.from_array(np.array([1])))
    minus = g.node("Mul", [ones, g.constant(-1)])
    target = g.node("Where", [g.node("Equal", [wanted, minus]), ones, wanted])
    return g.model([("x", F, [1, 3, 2])], [g.node("Expand", ["x", target]), target])


def attention(opset):
    """Dot products scaled by a root of the last size, cast on the way as exporters do."""
    g = Sheet(opset)
    last = g.node("Slice", [g.node("Shape", ["x"]), g.constant([-1]), g.constant([2**63 - 1])])
    root = g.node("Sqrt", [g.node("Cast", [last], to=F)])
    scale = g.node("Cast", [g.node("Div", [g.constant(1, np.float32), root])], to=F)
    half = g.node("Sqrt", [scale])
    keys = g.node("Mul", [g.node("Transpose", ["x"], perm=[0, 2, 1]), half])
    weights = g.node("Softmax", [g.node("MatMul", [g.node("Mul", ["x", half]), keys])], axis=2)
    return g.model([("x", F, [2, 3, 4])], [g.node("MatMul", [weights, "x"])])


def attributes_of_shape(opset):
    g = Sheet(opset)
    rng = np.random.default_rng(opset)
    outputs = [g.node("Shape", ["x"], start=int(a), end=int(b)) for a, b in rng.integers(-7, 8, size=(12, 2))]
    return g.model([("x", F, [2, 3, 5, 1])], [*outputs, g.node("Shape", ["x"], start=-2), g.node("Size", ["x"])])


def arithmetic(opset, rng):
    """Random values, negative ones and broadcasts too; results that overflow are left out."""
    g = Sheet(opset)
    dtype = [np.int64, np.int32][rng.integers(2)]
    draw = lambda *shape: rng.integers(-20, 20, size=shape)
    a, b = g.constant(draw(2, 3), dtype), g.constant(draw(3), dtype)
    divisor = g.constant(np.where((d := draw(2, 1)) == 0, 7, d), dtype)
    outputs = [g.node(op, pair) for op in ("Add", "Sub", "Mul") for pair in ([a, b], [b, a])]
    outputs += [g.node("Div", [x, divisor]) for x in (a, b)]
    outputs.append(g.node("Equal", [a, b]))
    outputs.append(g.node("Where", [outputs[-1], b, a]))
    outputs.append(g.node("Cast", [a], to=TensorProto.BOOL))
    outputs.append(g.node("Cast", [a], to=F))
    indices = g.constant(rng.integers(-2, 2, size=(2, 2)), [np.int64, np.int32][rng.integers(2)])
    outputs += [g.node("Gather", [a, indices], axis=axis) for axis in (0, 1, -1)]
    start, limit = (int(x) for x in draw(2))
    outputs.append(g.node("Range", [g.constant(x, dtype) for x in (start, limit, int(rng.choice([-3, -1, 1, 2, 5])))]))
    outputs.append(g.node("Slice", [a, g.constant([-1, -1]), g.constant([-9, 1]), g.constant([0, 1]), g.constant([-1, -1])]))
    outputs.append(g.node("Transpose", [a]))
    outputs.append(g.node("Tile", [b, g.constant([int(rng.integers(4))])]))
    outputs.append(g.axes("ReduceSum", a, [1]))
    outputs += g.node("Split", [a], 3, axis=1, **({"num_outputs": 3} if opset >= 18 else {}))
    outputs.append(g.node("ConstantOfShape", [g.constant([2, 0, 1])], value=numpy_helper.from_array(np.array([5], dtype))))
    outputs.append(g.axes("Squeeze", g.axes("Unsqueeze", a, [-1, 0]), [0]))
    return g.model([("unused", F, [1])], outputs)


def drawn(rng, type_name, shape):
    """Positive floats; of integers few, so that some are equal; truth values."""
    if type_name == "tensor(float)":
        return np.asarray(np.abs(rng.standard_normal(shape)) + 0.1, np.float32)
    if type_name == "tensor(bool)":
        return np.asarray(rng.integers(0, 2, shape), np.bool_)
    return np.asarray(rng.integers(-2, 3, shape), {"tensor(int64)": np.int64, "tensor(int32)": np.int32}[type_name])


def add_results(folder, model):
    """Runs a model on random inputs and writes them and the results as the onnx package lays out its cases."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    rng = np.random.default_rng(3)
    feed = {i.name: drawn(rng, i.type, i.shape) for i in session.get_inputs()}
    data = folder / "test_data_set_0"
    data.mkdir()
    results = dict(zip((o.name for o in session.get_outputs()), session.run(None, feed)))
    for kind, tensors in (("input", feed), ("output", results)):
        for number, (value, array) in enumerate(tensors.items()):
            (data / f"{kind}_{number}.pb").write_bytes(numpy_helper.from_array(np.asarray(array), value).SerializeToString())


def save(folder, name, model):
    (folder / name).mkdir()
    onnx.save(model, folder / name / "model.onnx")
    add_results(folder / name, model)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--number", type=int, default=60)
    arguments = parser.parse_args()
    for opset in (11, 12, 13, 14, 17, 18, 21, 23):
        for make in (heads, view, expand, attention) + ((attributes_of_shape,) if opset >= 15 else ()):
            save(arguments.models, f"{make.__name__}_{opset}", make(opset))
    for number in range(arguments.number):
        rng = np.random.default_rng(number)
        save(arguments.models, f"arithmetic_{number}", arithmetic(int(rng.integers(11, 24)), rng))


if __name__ == "__main__":
    main()
