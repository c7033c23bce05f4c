"""write_chain.py FILE N: an ONNX model of N MatMuls in a row, each by a 256x256 matrix of thousandths."""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

file, length = sys.argv[1], int(sys.argv[2])
# One matrix a step, or the runtime could share it.
matrices = [numpy_helper.from_array(np.full((256, 256), 0.001, np.float32), f"w{i}") for i in range(length)]
names = ["x"] + [f"h{i}" for i in range(1, length)] + ["y"]
nodes = [helper.make_node("MatMul", [names[i], f"w{i}"], [names[i + 1]]) for i in range(length)]
value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", 256]) for name in ("x", "y")]
graph = helper.make_graph(nodes, "chain", value[:1], value[1:], matrices)
onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]), file)
