"""Operators that shapes are computed with: they have a meaning for known integers alone."""
import math
import numpy as np
from ..refusals import meaningless_if
from ..tensors import NUMBERS, StoredTensor, of_array

MOST_ELEMENTS = 4096  # more is data
_LIMITS = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1), "bool": (0, 1), "float": (-(2**24), 2**24)}
_TABLE = {}

def is_known(stored):
    """Whether a constant takes part in the arithmetic of shapes."""
    is_small = stored.type in ("int32", "int64", "bool") and stored.elements.size <= MOST_ELEMENTS
    return is_small and (stored.type != "bool" or bool((stored.elements <= 1).all()))

def result(type_name, values, shape):
    low, high = _LIMITS.get(type_name, (1, 0))
    values = [int(x) for x in values]
    fits = len(values) <= MOST_ELEMENTS and all(low <= x <= high for x in values)
    meaningless_if(not fits, f"no small tensor of type {type_name} holds the result")
    return of_array(type_name, values, shape)

find = _TABLE.get

def _integers(name, operands, attributes=()):
    def register(define):
        def checked(call):
            stored = [operand and operand.stored for operand in call.operands]
            call.opaque_if(set(call.attributes) - set(attributes) or call.outputs != 1, "this form is not interpreted")
            call.opaque_if(len(stored) != operands or None in stored, "another number of operands")
            return define(call, *stored)
        _TABLE[name] = checked
        return define
    return register

@_integers("Cast", 1, ("to", "saturate", "round_mode"))
def _cast(call, x):
    to = {number: name for name, number in NUMBERS.items()}.get(call.get("to"), "nothing")
    values = x.elements.reshape(-1)
    return result(to, values != 0 if to == "bool" else values, x.shape)

@_integers("ConstantOfShape", 1, ("value",))
def _constant_of_shape(call, shape):
    value = call.get("value")
    is_one = isinstance(value, StoredTensor) and is_known(value) and value.elements.size == 1
    call.opaque_if(not is_one, "filled with no single integer")
    extents = [int(n) for n in shape.elements.reshape(-1)]
    number = math.prod(extents)
    call.opaque_if(shape.type != "int64" or len(shape.shape) != 1 or min(extents, default=0) < 0, "no shape")
    call.opaque_if(len(extents) > 16 or number > MOST_ELEMENTS, "too large for the arithmetic of shapes")
    return result(value.type, [value.elements.reshape(-1)[0]] * number, extents)

@_integers("Range", 3)
def _range(call, *operands):
    types, sizes = {x.type for x in operands}, {x.elements.size for x in operands}
    call.opaque_if(len(types) != 1 or types == {"bool"} or sizes != {1}, "a range between no single integers")
    start, limit, delta = (int(x.elements.reshape(-1)[0]) for x in operands)
    call.opaque_if(delta == 0 or max(map(abs, (start, limit, delta))) > 2**50, "a step of 0, or enormous numbers")
    values = range(start, limit, delta)[: MOST_ELEMENTS + 1]
    return result(operands[0].type, values, (len(values),))

@_integers("Equal", 2)
def _equal(call, a, b):
    call.opaque_if(a.type != b.type, "values of different types")
    return _broadcast(call, "bool", np.equal, a, b)

@_integers("Where", 3)
def _where(call, condition, a, b):
    call.opaque_if(condition.type != "bool" or a.type != b.type, "values of different types, or another condition")
    return _broadcast(call, a.type, lambda c, x, y: np.where(c != 0, x, y), condition, a, b)

def _broadcast(call, type_name, pick, *operands):
    shape = call.broadcast(*(x.shape for x in operands))
    call.opaque_if(math.prod(shape) > MOST_ELEMENTS, "too large for the arithmetic of shapes")
    return result(type_name, np.broadcast_to(pick(*(x.elements for x in operands)), shape).reshape(-1), shape)

def of_shape(call, shape):
    """Shape and Size, which read nothing but a shape."""
    is_cut = call.op_type == "Shape" and call.opset >= 15
    call.opaque_if(set(call.attributes) - ({"start", "end"} if is_cut else set()), "this form is not interpreted")
    if call.op_type == "Size":
        return result("int64", [math.prod(shape)], ())
    part = list(shape)[slice(call.get("start"), call.get("end"))]
    return result("int64", part, (len(part),))
