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

def _once(array):
    """Axes that repeat one element (of stride 0, the ring's apart) without the repetitions."""
    return array[tuple(slice(0, 1) if i and not stride and n else slice(None) for i, (stride, n) in enumerate(zip(array.strides, array.shape)))]

def _of_once(operation):
    """Computed once for all that repeats."""
    def computed(*arrays):
        return np.broadcast_to(operation(*map(_once, arrays)), np.broadcast_shapes(*(a.shape for a in arrays)))
    return staticmethod(computed)

class Magnitudes(Ring):
    """How large the terms of sums are: constants and coefficients made absolute, inputs and symbols of no value 1; over the
    reals, once more as floats hold them, and then the values that follow from constants, elsewhere NaN. `noted(sizes, shape)`
    is told what arguments count, one after another as `Residues` lists them, broadcast to that shape, and yields what
    results of no value count. What is 1 everywhere is held, and computed with, once."""
    _plus, _times = _of_once(np.add), _of_once(np.multiply)
    def __init__(self, noted):
        self._noted = noted
    def leaf(self, kind, name, stored, shape):
        if kind == "input" or not (stored.is_float and stored.is_finite):
            return Tensor(np.broadcast_to(np.reshape([1.0, 1.0, np.nan], (3, *(1 for _ in shape))), (3, *shape)))
        values = stored.elements.astype(np.float64)
        return Tensor(np.stack([np.abs(values), np.abs(values), values]))
    def held(self, array):
        """Below the normal floats rounding errors get no smaller; masks of the lowest float may have something added."""
        shape, array = array.shape, _once(array)
        out = np.abs(array)  # of negative coefficients, too
        out[2] = array[2]
        sizes, floats = out[:2], out[1:2]
        np.copyto(sizes, np.inf, where=np.isnan(sizes))  # zero times infinity has no bound
        np.maximum(floats, _SMALLEST, out=floats, where=floats > 0)
        np.copyto(floats, np.inf, where=floats > _BEYOND)
        return np.broadcast_to(out, shape)
    def pad(self, x, before, after):
        padded = [i for i in range(len(x.shape)) if before[i] or after[i]]
        array = np.broadcast_to(once := _once(x.array), [x.array.shape[0], *(x.shape[i] if i in padded else n for i, n in enumerate(once.shape[1:]))])
        shape = [b + n + a for b, n, a in zip(before, x.shape, after)]
        return Tensor(np.broadcast_to(super().pad(Tensor(array), before, after).array, (len(array), *shape)))
    def _sum_along(self, array, axis):
        whole, n = _once(array), array.shape[axis]
        shape = [1 if i == axis else n for i, n in enumerate(array.shape)]
        return np.broadcast_to(whole * n if whole.shape[axis] < n else np.sum(whole, axis=axis, keepdims=True), shape)
    @staticmethod
    def _matmul(a, b):
        shape = [*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1]]
        left, right = _once(a), _once(b)
        if left.shape[-1] < right.shape[-2]:
            right = right.sum(axis=-2, keepdims=True)
        elif right.shape[-2] < left.shape[-1]:
            left = left.sum(axis=-1, keepdims=True)
        elif left.shape[-1] < a.shape[-1]:
            left = left * a.shape[-1]
        return np.broadcast_to(np.matmul(left, right), shape)
    def convolve(self, x, w, axes, groups):
        """Of channels of a group that are all alike one is looked at, under the sum of their weights."""
        array, kernel = x.array, w.array
        parts = array.reshape(*array.shape[:2], groups, kernel.shape[2], *array.shape[3:])
        first = parts[:, :, :, :1]
        if parts.size and ((parts == first) | (parts != parts) & (first != first)).all():
            array, kernel = first[:, :, :, 0], kernel.sum(axis=2, keepdims=True)
        once = array[:, :1] if array.strides[1] == 0 else array
        made = super().convolve(Tensor(once), Tensor(kernel), axes, groups).array
        return Tensor(np.broadcast_to(made, (*array.shape[:2], *made.shape[2:])))
    def scale(self, x, factor):
        return Tensor(self.held(self._times(x.array, np.asarray(factor, dtype=np.float64))))
    def apply(self, function, parameters, elements, window=None):
        if window is not None:
            self._note(window.source.array, window.source.shape)
        values = self._values(function, parameters, elements, window)
        shape, values = values.shape[1:], _once(values)
        floats = np.where(np.isnan(values), 1, np.abs(values))
        known = np.concatenate([np.where(np.isinf(floats), 1, floats), floats])  # no real number is 1/0
        found = [self._note(array, shape) for array in [x.array for x in elements] or [np.zeros(2)]]
        counted = _once(self._times(found[0], known))
        lanes = [np.broadcast_to(lane, (len(lane), *np.broadcast_shapes(counted.shape[1:], values.shape[1:]))) for lane in (counted, values)]
        return Tensor(self.held(np.broadcast_to(np.concatenate(lanes), (3, *shape))))
    @staticmethod
    def _values(function, parameters, elements, window):
        """What follows from constants; where an argument does not, NaN."""
        read = [*elements, *([window.source] if window else [])]
        if any(np.isnan(_once(x.array[-1:])).all() for x in read):
            return np.broadcast_to(np.nan, (1, *np.broadcast_shapes(*(x.shape for x in elements), *([window.rows()] if window else []))))
        values = Rounded().apply(function, parameters, elements, window).array
        unknown = [np.isnan(array[-1:]) for array in aligned(*(x.array for x in elements))] if elements else []
        return functools.reduce(lambda found, is_so: np.where(is_so, np.nan, found), unknown, values)
    def opaque(self, step, operands, types):
        for x in filter(None, operands):
            self._note(x.array, x.shape)
        return [None if shape is None else self.leaf("input", "", None, shape) for shape in step.shapes]
    def _note(self, sizes, shape):
        return self._noted(_once(sizes[:2]), shape) if self.needed else np.broadcast_to(1.0, (2, *shape))
