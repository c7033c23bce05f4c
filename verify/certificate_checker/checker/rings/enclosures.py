"""Numbers as the sum of two doubles, and a bound of what that leaves out.

Additions and products are error-free where 106 bits hold their results: then the bound stays 0, and even what lies
exactly between two floats is decided. Whatever leaves the range of doubles ends in an error, which the processor reports
exactly where a result was rounded there: so what is small is as exact as what is not."""
import functools
import math
import operator
from fractions import Fraction
import numpy as np
from .. import functions
from ..refusals import NoMeaning, meaningless_if
from .ring import Ring, Tensor, aligned

MORE = 1 + 2.0**-48  # above the relative error of a few operations
_SPLIT = 2.0**27 + 1
_SMALL = 2.0**-900  # what is larger is a normal double, and so are its last bits
_PIECE = 2**14  # elements

def _filled(out, operation, a, b):
    """Few elements at once, which stay near the processor."""
    if out[0].size <= _PIECE:
        out[0], out[1], out[2] = operation(lanes(a), lanes(b))
        return
    axis = 1 + int(np.argmax(out.shape[1:]))
    for half in (slice(out.shape[axis] // 2), slice(out.shape[axis] // 2, None)):
        part = (slice(None),) * axis + (half,)
        _filled(out[part], operation, a[part], b[part])

def _in_pieces(operation):
    def computed(a, b):
        a, b = aligned(a, b)
        shape = np.broadcast_shapes(a.shape[1:], b.shape[1:])
        a, b = (np.broadcast_to(x, (len(x), *shape)) for x in (a, b))
        out = np.empty((3, *shape))
        try:
            with np.errstate(all="raise"):
                _filled(out, operation, a, b)
        except FloatingPointError:
            raise NoMeaning("a constant leaves the range of doubles on the way") from None
        return out
    return computed

def lanes(a):
    """All three; of what doubles hold, the last two are left out elsewhere."""
    return a if len(a) == 3 else np.concatenate([a, np.zeros((2, *a.shape[1:]))])

def _two_sum(a, b):
    """The rounded sum, and exactly what rounding left out."""
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)

def _halves(a):
    shifted = a * _SPLIT
    high = shifted - (shifted - a)
    return high, a - high

def _two_product(a, b):
    """The rounded product, and exactly what rounding left out."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low

@_in_pieces
def plus(a, b):
    high, error = _two_sum(a[0], b[0])
    low, lost = _two_sum(a[1], b[1])
    low, lost_too = _two_sum(low, error)
    return *_two_sum(high, low), (a[2] + b[2] + np.abs(lost) + np.abs(lost_too)) * MORE

def negative(a):
    return np.concatenate([-a[:2], a[2:]])

def size(a):
    return np.abs(a).sum(axis=0)

@_in_pieces
def times(a, b):
    high, low = _two_product(a[0], b[0])
    radius = a[2] * size(b) + b[2] * size(a)
    for i, j in ((0, 1), (1, 0), (1, 1)):
        if not a[i].any() or not b[j].any():
            continue  # as stored numbers, which have no second half
        part, lost = _two_product(a[i], b[j])
        low, lost_too = _two_sum(low, part)
        radius = radius + np.abs(lost) + np.abs(lost_too)
    return *_two_sum(high, low), radius * MORE

def exactly(values):
    """Numbers that a double holds."""
    return np.asarray(values, dtype=np.float64)[None]

def _integers(values):
    values = np.asarray(values, dtype=object)
    meaningless_if(max(map(abs, values.flat), default=0) >= 2**106, "a coefficient of too many digits")
    high = values.astype(np.float64)
    low = np.asarray(values - np.frompyfunc(int, 1, 1)(high), dtype=object)
    return np.stack([high, low.astype(np.float64), np.zeros_like(high)])

def _unit(x):
    """The largest power of two that divides it; of 0 infinity."""
    bits = x.view(np.int64)
    without_last = (bits & (bits - 1)).view(np.float64)
    return np.where(x == 0, np.inf, np.abs(np.where(bits << 12 == 0, x, x - without_last)))

def _matmul(a, b):
    """Where all products are multiples of one power of two, and the sum of their sizes is below 2^53 times that, doubles add
    them up without an error, in whatever order. The rest, rows and columns of it, is done step by step."""
    if b.shape[-1] > (columns := max(1, _PIECE // b.shape[-2])):
        return np.concatenate(_alike([_matmul(a, b[..., i : i + columns]) for i in range(0, b.shape[-1], columns)]), axis=-1)
    high, sizes = np.matmul(a[0], b[0]), np.matmul(np.abs(a[0]), np.abs(b[0]))
    unit = _unit(a[0]).min(axis=-1, keepdims=True) * _unit(b[0]).min(axis=-2, keepdims=True)
    is_exact = (sizes < 2.0**52 * unit) & (unit > _SMALL)  # a factor 2 for the error of sizes
    is_exact &= ~(a[1:].any(axis=(0, -1))[..., :, None] | b[1:].any(axis=(0, -2))[..., None, :])
    out = high[None] if len(a) == len(b) == 1 and is_exact.all() else lanes(high[None])
    lead = tuple(range(high.ndim - 2))
    rows, columns = (np.flatnonzero(~is_exact.all(axis=(*lead, axis))) for axis in (-1, -2))
    if len(rows):
        a, b = a[..., rows, :], b[..., columns]
        products = (times(a[..., k : k + 1], b[..., k : k + 1, :]) for k in range(a.shape[-1]))
        out[..., rows[:, None], columns] = functools.reduce(plus, products)
    return out

def _alike(parts):
    return parts if all(len(x) == 1 for x in parts) else [*map(lanes, parts)]

class Enclosures(Ring):
    """[high, low, radius]: the exact number lies within radius of high + low, divided by the tensor's note: an integer, so
    that what lies between two floats is decided behind a division, too."""
    _plus, _times, _matmul, _note_of_product = map(staticmethod, (plus, times, _matmul, operator.mul))
    def leaf(self, kind, name, stored, shape):
        return Tensor(exactly(stored.elements), 1)
    def scale(self, x, factor):
        factor = np.asarray(factor, dtype=object)
        below = math.lcm(1, *(Fraction(f).denominator for f in factor.flat))
        return self.multiply(x, Tensor(_integers(np.frompyfunc(lambda f: int(f * below), 1, 1)(factor)), below))
    def convolve(self, x, w, axes, groups):
        return super().convolve(*(Tensor(lanes(t.array), t.note) for t in (x, w)), axes, groups)
    def _alike(self, *tensors):
        common = math.lcm(*(t.note for t in tensors))
        return [Tensor(self._times(t.array, _integers(common // t.note)) if t.note < common else t.array, common) for t in tensors]
    def add(self, a, b):
        return super().add(*self._alike(a, b))
    def concat(self, parts, axis):
        parts = self._alike(*parts)
        return Tensor(np.concatenate(_alike([x.array for x in parts]), axis=axis + 1), parts[0].note)
    def _sum_along(self, array, axis):
        parts = (np.take(array, [i], axis=axis) for i in range(array.shape[axis]))
        return functools.reduce(plus, parts, np.zeros([1, *(1 if i == axis else n for i, n in enumerate(array.shape[1:], 1))]))
    def apply(self, function, parameters, elements, window=None):
        enclosed = functions.of(function).enclosed
        meaningless_if(window is not None or enclosed is None, f"{function} of constants is not enclosed")
        (x,) = elements
        divisor = functions.of("reciprocal").enclosed((), _integers(x.note))
        return Tensor(enclosed(parameters, times(x.array, divisor)), 1)
