"""Writes the small models that the tests of the programs need: small_models.py FOLDER"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = Path(sys.argv[1])
numbers = np.random.default_rng(1)


def weights(name, *shape):
    return numpy_helper.from_array(numbers.standard_normal(shape).astype(np.float32), name)


def save(name, nodes, inputs, outputs, constants):
    graph = helper.make_graph(nodes, name, inputs, outputs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, folder / f"{name}.onnx")


def floats(name, *shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


# As a transition of DenseNet, only more so: sixteen times the multiplications that are needed.
transition = [
    helper.make_node("Conv", ["x", "w"], ["c"], name="conv"),
    helper.make_node("AveragePool", ["c"], ["y"], name="pool", kernel_shape=[4, 4], strides=[4, 4]),
]
save("transition", transition, [floats("x", 1, 192, 28, 28)], [floats("y", 1, 192, 7, 7)], [weights("w", 192, 192, 1, 1)])

# The same beside a table of three rows: whoever draws indices must know how many rows there are.
rows = helper.make_node("Gather", ["table", "ids"], ["rows"], name="look_up")
save(
    "table",
    [*transition, rows],
    [floats("x", 1, 192, 28, 28), helper.make_tensor_value_info("ids", TensorProto.INT64, [64])],
    [floats("y", 1, 192, 7, 7), floats("rows", 64, 4)],
    [weights("w", 192, 192, 1, 1), weights("table", 3, 4)],
)

# The same beside a sequence of tensors and a text, of which an output is neither a tensor nor a number.
others = [
    helper.make_node("Split", ["y"], ["left", "right"], name="halves", axis=1),
    helper.make_node("SequenceConstruct", ["left", "right"], ["sequence"], name="sequence"),
    helper.make_node("Constant", [], ["text"], name="text", value_strings=["one", "two"]),
]
sequence = helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, None))
save(
    "sequence",
    [*transition, *others],
    [floats("x", 1, 192, 28, 28)],
    [
        floats("y", 1, 192, 7, 7),
        helper.make_value_info("sequence", sequence),
        helper.make_tensor_value_info("text", TensorProto.STRING, [2]),
    ],
    [weights("w", 192, 192, 1, 1)],
)

# Loads, and can be run only by somebody who knows which extents make sense.
save(
    "extents",
    [helper.make_node("Reshape", ["x", "extents"], ["y"], name="view")],
    [floats("x", 6), helper.make_tensor_value_info("extents", TensorProto.INT64, [2])],
    [floats("y", "rows", "columns")],
    [],
)

# A transition that is worth exchanging, and behind it many that are too small to tell: a search that takes long after
# it has found something.
chain = list(transition)
outputs = []
constants = [weights("w", 192, 192, 1, 1)]
for i in range(12):
    chain += [
        helper.make_node("Relu", ["y"], [f"r{i}"], name=f"relu{i}"),
        helper.make_node("Conv", [f"r{i}", f"w{i}"], [f"c{i}"], name=f"conv{i}"),
        helper.make_node("AveragePool", [f"c{i}"], [f"y{i}"], name=f"pool{i}", kernel_shape=[2, 2], strides=[2, 2]),
    ]
    constants.append(weights(f"w{i}", 4 + i, 192, 1, 1))
    outputs.append(floats(f"y{i}", 1, 4 + i, 3, 3))
save("branches", chain, [floats("x", 1, 192, 28, 28)], outputs, constants)

# Two images that lie side by side in one: joined they are wrong at the seam alone.
pads = [1, 1, 1, 1]
save(
    "seams",
    [
        helper.make_node("Conv", ["x", "w0"], ["c"], name="first", pads=pads),
        helper.make_node("Relu", ["c"], ["r"], name="relu"),
        helper.make_node("Conv", ["r", "w1"], ["output"], name="second", pads=pads),
    ],
    [floats("x", 2, 32, 28, 28)],
    [floats("output", 2, 32, 28, 28)],
    [weights("w0", 32, 32, 3, 3), weights("w1", 32, 32, 3, 3)],
)
