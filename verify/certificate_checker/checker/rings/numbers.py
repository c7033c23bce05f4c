"""Rings of single numbers: integers, floats as runtimes round, sizes of terms."""
from fractions import Fraction
import numpy as np
from ..operators import functions
from ..refusals import NoMeaning, meaningless_if
from ..tensors import count
from .ring import Ring, Tensor, aligned

_MOST_ARGUMENTS = 3

class Integers(Ring):
    """Small integers that follow from shapes and constants, exactly; Div loses the fraction."""
    def leaf(self, kind, name, stored, shape):
        return Tensor(stored.elements.astype(object)[None])
    def number(self, value):
        raise NoMeaning("not interpreted on integers")

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
    """How large the terms of sums are: constants and coefficients made absolute, inputs and symbols of no value 1.
    `results(number, sizes)` yields what the results of the application of that number (as `Residues` lists them) count;
    `sizes` has a row for each argument, rows of zeros behind them."""
    def __init__(self, results):
        self._results, self._number = results, 0

    def leaf(self, kind, name, stored, shape):
        if kind == "input" or not stored.is_finite:
            return Tensor(np.ones((1, *shape)))
        return Tensor(np.abs(stored.elements.astype(np.float64))[None])

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

    def apply(self, function, parameters, elements, window=None):
        arrays = [x.array for x in elements]
        if window is not None:
            arrays.append(window.arrange(window.source.array, 0.0).max(axis=-1, initial=0.0))
        arrays = aligned(*arrays)
        shape = np.broadcast_shapes(*(a.shape[1:] for a in arrays))
        sizes = np.zeros((_MOST_ARGUMENTS, count(shape)))
        for row, array in zip(sizes, arrays):
            row[:] = np.broadcast_to(array, (1, *shape)).reshape(-1)
        out = self._results(self._number, sizes) if self.needed else np.ones(sizes.shape[1])
        self._number += self.needed
        return Tensor(out.reshape(1, *shape))
