"""Div."""
from checker.table import operator

@operator("Div", tensors=(2, 2))
def _divide(call, ring, a, b):
    """By an ordinary number it is a scaling."""
    shape, divisor = call.broadcast(a.shape, b.shape), call.number(1)
    is_scaling = divisor is not None and 2.0**-39 <= abs(divisor) <= 2.0**39
    return ring.reshape(ring.scale(a, 1 / divisor), shape) if is_scaling else ring.divide(a, b)
