"""Rings of single numbers: integers, floats as runtimes round, sizes of terms and what is known of values."""
import functools
from fractions import Fraction
import numpy as np
from .. import functions
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
    def apply(self, function, parameters, elements, window=None):
        meaningless_if(not functions.of(function).of_integers, f"{function} is not known of integers")
        return Tensor(functions.of(function).value(parameters, None, *aligned(*(x.array for x in elements))))

class Rounded(Ring):
    """Constants as floats hold them: every sum and product rounded to a float."""
    def leaf(self, kind, name, stored, shape):
        return Tensor(stored.elements.astype(np.float64)[None])
    def held(self, array):
        return array.astype(np.float32).astype(np.float64)
    def apply(self, function, parameters, elements, window=None):
        arrays = aligned(*(x.array[-1:] for x in elements)) if elements else []  # of sizes the last are values
        row = None if window is None else window.arrange(window.source.array[-1:], -np.inf)
        return Tensor(functions.of(function).value(parameters, row, *arrays))

class Magnitudes(Ring):
    """How large the terms of sums are: constants and coefficients made absolute, inputs and symbols of no value 1; over the
    reals, once more as floats hold them, and then the values that follow from constants, elsewhere NaN. `noted(sizes, shape)`
    is told what arguments count, one after another as `Residues` lists them, broadcast to that shape, and yields what
    results of no value count."""
    def __init__(self, noted):
        self._noted = noted
    def leaf(self, kind, name, stored, shape):
        if kind == "input" or not (stored.is_float and stored.is_finite):
            return Tensor(np.stack([np.full(shape, size) for size in (1.0, 1.0, np.nan)]))
        values = stored.elements.astype(np.float64)
        return Tensor(np.stack([np.abs(values), np.abs(values), values]))
    def held(self, array):
        """Below the normal floats rounding errors get no smaller; masks of the lowest float may have something added."""
        sizes = np.abs(array[:2])  # of negative coefficients, too
        sizes[np.isnan(sizes)] = np.inf  # zero times infinity has no bound
        floats = np.where(sizes[1] > 0, np.maximum(sizes[1], _SMALLEST), 0)
        return np.stack([sizes[0], np.where(floats > _BEYOND, np.inf, floats), array[2]])
    def apply(self, function, parameters, elements, window=None):
        if window is not None:
            self._note(window.source.array, window.source.shape)
        values = Rounded().apply(function, parameters, elements, window).array
        unknown = [np.isnan(array[-1:]) for array in aligned(*(x.array for x in elements))] if elements else []
        values = functools.reduce(lambda found, is_so: np.where(is_so, np.nan, found), unknown, values)
        floats = np.where(np.isnan(values), 1, np.abs(values))
        known = np.concatenate([np.where(np.isinf(floats), 1, floats), floats])  # no real number is 1/0
        found = [self._note(array, values.shape[1:]) for array in [x.array for x in elements] or [np.zeros(2)]]
        return Tensor(self.held(np.concatenate([found[0] * known, values])))
    def opaque(self, step, operands, types):
        for x in filter(None, operands):
            self._note(x.array, x.shape)
        return [None if shape is None else self.leaf("input", "", None, shape) for shape in step.shapes]
    def _note(self, sizes, shape):
        return self._noted(sizes[:2], shape) if self.needed else np.ones((2, *shape))
