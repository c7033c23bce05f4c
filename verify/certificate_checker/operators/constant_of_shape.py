"""ConstantOfShape of known integers."""
import math
from checker.integers import MOST_ELEMENTS, integer_operator, is_known, result
from checker.tensors import StoredTensor

@integer_operator("ConstantOfShape", 1, ("value",))
def _constant_of_shape(call, shape):
    value = call.get("value")
    is_one = isinstance(value, StoredTensor) and is_known(value) and value.elements.size == 1
    call.opaque_if(not is_one, "filled with no single integer")
    extents = [int(n) for n in shape.elements.reshape(-1)]
    number = math.prod(extents)
    call.opaque_if(shape.type != "int64" or len(shape.shape) != 1 or min(extents, default=0) < 0, "no shape")
    call.opaque_if(len(extents) > 16 or number > MOST_ELEMENTS, "too large for the arithmetic of shapes")
    return result(value.type, [value.elements.reshape(-1)[0]] * number, extents)
