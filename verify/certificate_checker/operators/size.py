"""Size."""
import math
from checker.integers import integer_operator, result

@integer_operator("Size", 1, of_shapes=True)
def _size(call, shape):
    return result("int64", [math.prod(shape)], ())
