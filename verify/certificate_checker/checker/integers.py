"""The arithmetic of shapes: operators that have a meaning for known integers alone."""
from .refusals import meaningless_if
from .tensors import of_array

MOST_ELEMENTS = 4096  # more is data
_LIMITS = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1), "bool": (0, 1), "float": (-(2**24), 2**24)}
_TABLE, OF_SHAPES = {}, set()

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

def integer_operator(name, operands, attributes=(), of_shapes=False):
    """`of_shapes`: it reads nothing else of its operands."""
    def register(define):
        def checked(call):
            read = [operand and (operand.shape if of_shapes else operand.stored) for operand in call.operands]
            call.opaque_if(set(call.attributes) - set(attributes) or call.outputs != 1, "this form is not interpreted")
            call.opaque_if(len(read) != operands or None in read, "another number of operands")
            return define(call, *read)
        _TABLE[name] = checked
        OF_SHAPES.update([name] if of_shapes else [])
        return define
    return register

def type_of(operator, call, operands):
    """Integers of one type are computed with; truth values as the operator says."""
    types = {operand.type for operand in operands if operand is not None}
    is_arithmetic = operator.element_type is None and len(types) == 1 and types != {"bool"}
    return types.pop() if is_arithmetic else operator.type_of(call)
