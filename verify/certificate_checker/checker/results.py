"""Types and shapes of the results of a node that has no meaning here, so that what follows it can be read.

They follow from operands and from constants of integers, by the standard's own inference as the onnx package has it, or,
where an operator is defined here for other elements, by its definition. What a file declares is not believed."""
import onnx
from operators.parts.call import Call
from . import nodes, tensors
from .files import plain_domain
from .refusals import NoMeaning, Unreadable
from .rings.sizes import Sizes
from .table import find

_MOST_NUMBERS = 4096  # of an operand that extents follow from
_UNKNOWN = None, None

def types_of(node, file, operands):
    """By result its type and its shape; None where nothing is known."""
    out, opset = [_UNKNOWN] * len(node.output), file.opsets[""]
    types = [operand and operand.type for operand in operands]
    if _may_be_another(node, file):
        return out
    try:
        nodes.check_form(node, opset, types)
    except NoMeaning:
        return out
    told = _told(node, min(opset, nodes.LAST_LISTED), operands)
    if told is None and opset <= nodes.LAST_LISTED:
        return out
    told = told or out
    if told != out and opset > nodes.LAST_LISTED:  # by both, as the writer has the older one alone
        told = [one if one == other else _UNKNOWN for one, other in zip(told, _told(node, opset, operands) or out)]
    for i, one in enumerate(_defined(node, file, operands)[: len(out)]):
        told[i] = one if told[i][0] in (None, one[0]) else _UNKNOWN  # statistics of doubles are floats
    return told

def _may_be_another(node, file):
    """Of another domain, or a function of the file."""
    functions = {(plain_domain(function.domain), function.name) for function in file.model.functions}
    return plain_domain(node.domain) or getattr(node, "overload", "") or ("", node.op_type) in functions

_BETWEEN = {"batch_dims": (0, 2**31 - 1), "keepdims": (0, 1), "noop_with_empty_axes": (0, 1)}

def _may_be_asked(attribute):
    """Not of graphs. Some numbers the package takes as they come, and reads beyond what there is; and runtimes read flags
    that are neither 0 nor 1 in two ways."""
    low, high = _BETWEEN.get(attribute.name, (-(2**31), 2**31 - 1))
    return low <= attribute.i <= high and not attribute.HasField("g") and not attribute.graphs

def _told(node, opset, operands):
    """By the standard's rules of that operator set; None: it has no such node. Nothing of operators that slide windows
    (with strides): runtimes and the standard differ over how many fit."""
    out = [_UNKNOWN] * len(node.output)
    try:
        schema = onnx.defs.get_schema(node.op_type, opset)
    except (onnx.defs.SchemaError, TypeError):
        return out
    is_open = any(operand is not None and operand.type is None for operand in operands)
    is_of_nothing = any(o is not None and 0 in (o.shape or ()) for o in operands[:1])  # negative axes of it are read in two ways
    if nodes.has_empty_list(node):
        return None
    if "strides" in schema.attributes or is_open or is_of_nothing or not all(map(_may_be_asked, node.attribute)):
        return out
    bare, types, numbers = onnx.NodeProto(op_type=node.op_type, attribute=node.attribute), {}, {}
    bare.output.extend(f"result {i}" for i in range(len(node.output)))
    for i, operand in enumerate(operands):
        bare.input.append(name := "" if operand is None else f"operand {i}")
        if operand is not None:
            types[name] = onnx.helper.make_tensor_type_proto(tensors.NUMBERS[operand.type], operand.shape)
        if operand is not None and operand.stored is not None and _is_number(operand.stored):
            numbers[name] = onnx.numpy_helper.from_array(operand.stored.elements)
    imports = [onnx.helper.make_opsetid("", opset)]
    try:
        found = onnx.shape_inference.infer_node_outputs(schema, bare, types, numbers, opset_imports=imports)
    except onnx.checker.ValidationError:
        return None
    except Exception:  # whatever it dislikes: then nothing is known
        return out
    return [_type_of(found.get(name)) for name in bare.output]

def _is_number(stored):
    """Runtimes read a list of no axes in two ways."""
    return stored.type in ("int32", "int64") and 1 <= stored.elements.size <= _MOST_NUMBERS

def _type_of(told):
    if told is None or not told.HasField("tensor_type") or told.tensor_type.elem_type not in tensors.TYPES:
        return _UNKNOWN
    stated = told.tensor_type
    extents = [dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else None for dim in stated.shape.dim]
    is_known = stated.HasField("shape") and None not in extents
    return tensors.TYPES[stated.elem_type][0], tuple(extents) if is_known else None

def _defined(node, file, operands):
    """By the definition of the operator, which holds for whatever elements unless it says something of them; nothing where it
    has none for these operands."""
    operator = find(node.op_type)
    if operator is None or operator.element_type is not None:
        return []
    try:
        call = Call(node, file.opsets[""], nodes.attributes_of(node, file), operands)
        operator.check(call)
        given, ring = call.operands[: operator.tensors[1]], Sizes()
        types = {operand.type for operand in given if operand is not None}
        if len(types) != 1 or None in types or any(o is not None and o.shape is None for o in given):
            return []
        results = operator.results(call, ring, [o and ring.taken(o) for o in given])
    except (NoMeaning, Unreadable):
        return []
    return [(*types, tuple(result.shape)) for result in results]
