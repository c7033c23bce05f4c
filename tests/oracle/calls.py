"""Single ONNX nodes with their operands and results, as text for operator_oracle.

case NAME
op TYPE OPSET NUMBER_OF_RESULTS
tolerance RELATIVE
attr NAME i|is|f|s VALUE...
operand absent | operand TYPE RANK EXTENT... constant|variable VALUE...
result TYPE RANK EXTENT... VALUE...
end
"""

import numpy as np
import onnx
from onnx import AttributeProto, helper


def _number(x):
    if isinstance(x, (bool, np.bool_)):
        return str(int(x))
    if isinstance(x, (int, np.integer)):
        return str(int(x))
    return repr(float(x))


def _tensor(array):
    array = np.asarray(array)
    kind = onnx.TensorProto.DataType.Name(helper.np_dtype_to_tensor_dtype(array.dtype)).lower()
    extents = " ".join(map(str, (array.ndim, *array.shape)))
    values = " ".join(_number(x) for x in array.reshape(-1))
    return kind, extents, values


def is_plain(array):
    return isinstance(array, (np.ndarray, np.generic)) and array.dtype.kind in "fiub"


def _attribute(attribute):
    value = helper.get_attribute_value(attribute)
    if attribute.type == AttributeProto.INT:
        return f"attr {attribute.name} i {value}"
    if attribute.type == AttributeProto.INTS:
        return f"attr {attribute.name} is " + " ".join(map(str, value))
    if attribute.type == AttributeProto.FLOAT:
        return f"attr {attribute.name} f {float(np.float32(value))!r}"
    if attribute.type == AttributeProto.STRING:
        return f"attr {attribute.name} s {value.decode()}"
    return None


def write_call(out, name, node, opset, operands, results, tolerance=3e-5):
    """operands: None (absent) or (array, is_constant) each. Returns why the node cannot be written, or None."""
    lines = [f"case {name}", f"op {node.op_type} {opset} {len(node.output)}", f"tolerance {tolerance}"]
    for attribute in node.attribute:
        line = _attribute(attribute)
        if line is None:
            return f"attribute {attribute.name} is a tensor, a graph or a list of another kind"
        lines.append(line)
    for operand in operands:
        if operand is None:
            lines.append("operand absent")
            continue
        array, constant = operand
        if not is_plain(array):
            return "an operand is no tensor of numbers"
        kind, extents, values = _tensor(array)
        lines.append(f"operand {kind} {extents} {'constant' if constant else 'variable'} {values}")
    for array in results:
        if not is_plain(array):
            return "a result is no tensor of numbers"
        kind, extents, values = _tensor(array)
        lines.append(f"result {kind} {extents} {values}")
    out.write("\n".join(lines) + "\nend\n")
    return None
