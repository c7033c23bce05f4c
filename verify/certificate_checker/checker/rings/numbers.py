"""Rings of single numbers: integers, floats as runtimes round, sizes of terms."""
from fractions import Fraction
import numpy as np
from ..operators import functions
from ..refusals import meaningless_if
from .ring import Ring, Tensor, aligned

_SMALLEST, _BEYOND = 2.0**-126, 1.0625 * 2.0**128  # of floats: normal ones, and a little above the largest

class Integers(Ring):
    """Small integers that follow from shapes and constants, exactly; Div loses the fraction."""
    def leaf(self, kind, name, stored, shape):
        return Tensor(stored.elements.astype(object)[None])
    def divide(self, a, b):
        left, right = aligned(a.array, b.array)
        meaningless_if(not right.all(), "a division of integers by zero")
        truncated = np.frompyfunc(lambda x, y: abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1), 2, 1)
        return Tensor(truncated(left, right))
    def scale(self, x, factor):
        factors = np.asarray(factor, dtype=object)
        meaningless_if(any(Fraction(f).denominator != 1 for f in factors.flat), "a fraction of integers")
        return Tensor(x.array * np.frompyfunc(int, 1, 1)(factors))

class Rounded(Ring):
    """Constants as floats hold them: every operator's result rounded to a float."""
    def leaf(self, kind, name, stored, shape):
        return Tensor(stored.elements.astype(np.float64)[None])
    def apply(self, function, parameters, elements, window=None):
        arrays = aligned(*(x.array for x in elements)) if elements else []
        row = None if window is None else window.arrange(window.source.array, -np.inf)
        return Tensor(functions.of(function).value(parameters, row, *arrays))

class Magnitudes(Ring):
    """How large the terms of sums are: constants and coefficients made absolute, inputs and symbols of no value 1; over the
    reals, and once more as floats hold them. `noted(sizes, shape)` is told what arguments count, one after another as
    `Residues` lists them, broadcast to that shape, and yields what results count."""
    def __init__(self, noted):
        self._noted = noted
    def leaf(self, kind, name, stored, shape):
        if kind == "input" or not (stored.is_float and stored.is_finite):
            return Tensor(np.ones((2, *shape)))
        return Tensor(np.stack([np.abs(stored.elements.astype(np.float64))] * 2))
    @staticmethod
    def _bounded(array):
        """Zero times infinity has no bound."""
        return np.where(np.isnan(array), np.inf, array)
    def _times(self, a, b):
        return self._bounded(a * b)
    def scale(self, x, factor):
        return Tensor(self._bounded(x.array * np.abs(np.asarray(factor, dtype=np.float64))))
    def _matmul(self, a, b):
        return self._bounded(np.matmul(a, b))
    def held(self, x):
        """Below the normal floats rounding errors get no smaller; masks of the lowest float may have something added."""
        floats = x.array[1]
        held = np.where(floats > _BEYOND, np.inf, np.where(floats > 0, np.maximum(floats, _SMALLEST), floats))
        return x if np.array_equal(held, floats) else Tensor(np.stack([x.array[0], held]))
    def apply(self, function, parameters, elements, window=None):
        shapes = [x.shape for x in elements]
        if window is not None:
            self._note(window.source.array, window.source.shape)
            shapes.append(window.arrange(window.source.array[:1], 0.0).shape[1:-1])
        shape = np.broadcast_shapes(*shapes)
        found = [self._note(array, shape) for array in [x.array for x in elements] or [np.zeros((2, *shape))]]
        return Tensor(found[0])
    def opaque(self, step, operands, types):
        for x in filter(None, operands):
            self._note(x.array, x.shape)
        return super().opaque(step, operands, types)
    def _note(self, sizes, shape):
        return self._noted(sizes, shape) if self.needed else np.ones((2, *shape))
