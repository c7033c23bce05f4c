"""Sums and means over axes."""
import math
from fractions import Fraction

def total(call, ring, x, axes, keeps, divides):
    """The sum, or the mean, over axes."""
    number = math.prod(x.shape[i] for i in axes)
    call.opaque_if(divides and number == 0, "the mean of no element")
    out = ring.sum(x, axes)
    if divides and number > 1:
        out = ring.scale(out, Fraction(1, number))
    return ring.reshape(out, [n for i, n in enumerate(out.shape) if keeps or i not in axes])
