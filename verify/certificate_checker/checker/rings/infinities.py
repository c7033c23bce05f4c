"""Which values may be infinite, or no number, because a constant of a file is: masks that are added before a Softmax.

A proof speaks of real numbers, where 2w - w is w; where w is infinite it is none. So what computes with such a value has no
meaning: it may be moved, and it may be the argument of an element function. What a node that has no meaning for that reason
makes is found by the same definition, `lenient`: a mask added to finite numbers is infinite in places, and no worse."""
from fractions import Fraction
import numpy as np
from .. import functions
from ..kinds_of_numbers import FINITE, INFINITE, NO_NUMBER
from ..refusals import meaningless_if
from .ring import Tensor
from .sizes import Sizes

class Infinities(Sizes):
    """`structure` says of a tensor what it may hold."""
    def __init__(self, is_lenient=False):
        super().__init__()
        self._is_lenient = is_lenient
    def made(self, how, operands, shape, note, *cost, **costs):
        made = super().made(how, (), shape, note, *cost, **costs)
        return Tensor(made.array, note, _worst(operands))
    def taken(self, value):
        made = super().taken(value)
        return Tensor(made.array, made.note, value.numbers)
    def add(self, a, b):
        self._computed(a, b)
        is_one = FINITE in (a.structure, b.structure)
        return _with(super().add(a, b), _worst([a, b]) if is_one else NO_NUMBER)
    def multiply(self, a, b):
        return self._mixed(super().multiply(a, b), a, b)
    def scale(self, x, factor):
        self._computed(x)
        is_scaled = isinstance(factor, (int, Fraction)) and factor != 0
        return _with(super().scale(x, factor), x.structure if is_scaled or not x.structure else NO_NUMBER)
    def sum(self, x, axes):
        return self._mixed(super().sum(x, axes), x) if axes else super().sum(x, axes)
    def matmul(self, a, b):
        return self._mixed(super().matmul(a, b), a, b)
    def convolve(self, x, w, axes, groups):
        return self._mixed(super().convolve(x, w, axes, groups), x, w)
    def apply(self, function, parameters, elements, window=None):
        made = super().apply(function, parameters, elements, window)
        read = [*elements, window.source] if window else elements
        worst = _worst(read)
        return _with(made, functions.of(function).at_infinity if worst == INFINITE else worst)
    def _mixed(self, made, *operands):
        """Infinity times 0, and two of them with different signs, are no number."""
        self._computed(*operands)
        return _with(made, NO_NUMBER if _worst(operands) else FINITE)
    def _computed(self, *operands):
        is_refused = _worst(operands) and not self._is_lenient
        meaningless_if(is_refused, "an operand may be infinite, or no number, by a constant of the file")

def _worst(operands):
    return max((x.structure for x in operands), default=FINITE)

def _with(made, numbers):
    return Tensor(made.array, made.note, numbers)
