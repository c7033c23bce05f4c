"""Pow: by some numbers a product, a root or a reciprocal."""
from fractions import Fraction
from functools import reduce
import numpy as np
from checker.functions import element_function
from checker.table import operator

element_function("pow", lambda p, row, x, y: np.power(x, y), is_total=False)

@operator("Pow", tensors=(2, 2))
def _pow(call, ring, x, y):
    shape, power = call.broadcast(x.shape, y.shape), call.number(1)
    chain = {-1: ["reciprocal"], Fraction(1, 2): ["sqrt"], Fraction(-1, 2): ["sqrt", "reciprocal"]}.get(power, [])
    if power in (1, 2, 3, 4):
        return ring.reshape(reduce(ring.multiply, [x] * int(power)), shape)
    made = reduce(lambda value, function: ring.apply(function, (), [value]), chain, x)
    return ring.reshape(made, shape) if chain else ring.apply("pow", (), [x, y])
