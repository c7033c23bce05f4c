"""How the constants of a yardstick follow from those of its original, as the file's metadata say it.

The format is that of core/onnx/weight_programs.h: an ONNX model in base64 whose operands and results are named by the
digests of tensors. This is a second implementation of the format, on purpose independent of the first.
"""

import base64
import hashlib
import struct

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

KEY = "pet.weight_programs"
OPSET = 17
FLOAT = TensorProto.FLOAT


def digest(array):
    """Of a float tensor: type, shape and bits."""
    data = np.ascontiguousarray(array, dtype=np.float32).tobytes()
    parts = [_sized(b"tensor"), struct.pack("<QQ", FLOAT, array.ndim)]
    parts += [struct.pack("<Q", extent) for extent in array.shape]
    parts.append(_sized(data))
    return hashlib.blake2b(b"".join(parts), digest_size=32).hexdigest()


def _sized(data):
    return struct.pack("<Q", len(data)) + data


class WeightPrograms:
    def __init__(self):
        self.nodes, self.literals, self.operands, self.results = [], [], {}, {}

    def operand(self, array):
        """A constant of the original."""
        name = digest(array)
        self.operands[name] = array.shape
        return name

    def literal(self, array):
        name = f"literal{len(self.literals)}"
        self.literals.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def integers(self, values):
        return self.literal(np.array(values, dtype=np.int64))

    def node(self, kind, operands, **attributes):
        name = f"value{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, operands, [name], **attributes))
        return name

    def explain(self, array, name):
        """`array` is the value `name`, rounded."""
        key = digest(array)
        if key not in self.results:
            self.results[key] = array.shape
            self.nodes.append(helper.make_node("Identity", [name], [key]))

    def encoded(self):
        def declared(values):
            return [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in values.items()]

        graph = helper.make_graph(
            self.nodes, "weight_programs", declared(self.operands), declared(self.results), self.literals
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
        onnx.checker.check_model(model)
        return base64.b64encode(model.SerializeToString()).decode()
