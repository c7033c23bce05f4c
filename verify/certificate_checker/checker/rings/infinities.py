"""Which values may be infinite, or no number, because a constant of a file is: masks that are added before a Softmax.

A proof speaks of real numbers, where 2w - w is w; where w is infinite it is none. So what computes with such a value has no
meaning: it may be moved, and it may be the argument of an element function."""
from .. import functions
from ..refusals import meaningless_if
from .ring import Tensor
from .sizes import Sizes

class Infinities(Sizes):
    """`structure` says of a tensor whether it may hold one."""
    def made(self, how, operands, shape, note, *cost, **costs):
        made = super().made(how, (), shape, note, *cost, **costs)
        return Tensor(made.array, note, any(x.structure for x in operands))
    def taken(self, value):
        made = super().taken(value)
        return Tensor(made.array, made.note, not value.is_finite)
    def add(self, a, b):
        return super().add(*_finite(a, b))
    def multiply(self, a, b):
        return super().multiply(*_finite(a, b))
    def scale(self, x, factor):
        return super().scale(*_finite(x), factor)
    def sum(self, x, axes):
        return super().sum(*(_finite(x) if axes else [x]), axes)
    def matmul(self, a, b):
        return super().matmul(*_finite(a, b))
    def convolve(self, x, w, axes, groups):
        return super().convolve(*_finite(x, w), axes, groups)
    def apply(self, function, parameters, elements, window=None):
        made = super().apply(function, parameters, elements, window)
        return Tensor(made.array, made.note, made.structure and not functions.of(function).is_bounded)

def _finite(*operands):
    meaningless_if(any(x.structure for x in operands), "an operand may be infinite, or no number, by a constant of the file")
    return operands
