"""Writes what users bring: an old file, a table that is read by index, values to run it on: reading_files.py FOLDER"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = Path(sys.argv[1])
numbers = np.random.default_rng(1)


def save(name, opset, nodes, inputs, constants):
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    weights = [numpy_helper.from_array(value, key) for key, value in constants.items()]
    graph = helper.make_graph(nodes, name, inputs, outputs, weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=4), folder / f"{name}.onnx")


def drawn(*shape):
    return numbers.standard_normal(shape).astype(np.float32)


image = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2, 8, 8])
norm = {key: drawn(3) for key in ("scale", "bias", "mean")} | {"var": np.abs(drawn(3)) + 1}
layers = [
    helper.make_node("Conv", ["x", "w"], ["c"], name="conv"),
    helper.make_node("BatchNormalization", ["c", *norm], ["y"], name="norm"),
]
save("old", 8, layers, [image], {"w": drawn(3, 2, 3, 3)} | norm)

# One index of the table is no row of it.
tokens = helper.make_tensor_value_info("tokens", TensorProto.INT64, [4])
save("rows", 13, [helper.make_node("Gather", ["table", "tokens"], ["y"], name="look_up")], [tokens], {"table": drawn(5, 3)})

for kind, values in {"right": [0, 4, 2, 1], "beyond": [0, 5, 2, 1]}.items():
    (folder / kind).mkdir()
    np.savez(folder / kind / "inputs.npz", tokens=np.array(values, np.int64))
(folder / "other").mkdir()
np.savez(folder / "other" / "inputs.npz", words=np.zeros(4, np.int64))
