"""Numbers as the sum of two long doubles, and a bound of what that leaves out.

Additions and products are error-free where 128 bits hold their results: then the bound stays 0, and even what lies
exactly between two floats is decided."""
import math
from fractions import Fraction
import numpy as np
from ..refusals import meaningless_if
from .ring import Ring, Tensor, aligned

_REAL = np.longdouble
_MORE = 1 + _REAL(2.0) ** -58  # above the relative error of a few operations
_SPLIT = _REAL(2.0) ** 32 + 1
_TINY = np.ldexp(_REAL(1), -8000)  # what products lose below is not looked at

def _in_blocks(operation):
    """A few rows at once, which stay near the processor."""
    def computed(a, b):
        a, b = aligned(a, b)
        shape = np.broadcast_shapes(a.shape, b.shape)
        rows = 2**13 * shape[1] // max(math.prod(shape[1:]), 1) if len(shape) > 1 else 0
        if rows < 1 or rows >= shape[1]:
            return operation(a, b)
        a, b = np.broadcast_to(a, shape), np.broadcast_to(b, shape)
        return np.concatenate([operation(a[:, i : i + rows], b[:, i : i + rows]) for i in range(0, shape[1], rows)], axis=1)
    return computed

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

@_in_blocks
def _plus(a, b):
    high, error = _two_sum(a[0], b[0])
    low, lost = _two_sum(a[1], b[1])
    low, lost_too = _two_sum(low, error)
    return np.stack([*_two_sum(high, low), (a[2] + b[2] + np.abs(lost) + np.abs(lost_too)) * _MORE])

def _negative(a):
    return np.stack([-a[0], -a[1], a[2]])

def _size(a):
    return np.abs(a[0]) + np.abs(a[1]) + a[2]

@_in_blocks
def _times(a, b):
    high, low = _two_product(a[0], b[0])
    radius = a[2] * _size(b) + b[2] * _size(a)
    for i, j in ((0, 1), (1, 0), (1, 1)):
        if not a[i].any() or not b[j].any():
            continue  # as stored numbers, which have no second half
        part, lost = _two_product(a[i], b[j])
        low, lost_too = _two_sum(low, part)
        radius = radius + np.abs(lost) + np.abs(lost_too)
    vanishes = (np.abs(high) < _TINY) & (_size(a) != 0) & (_size(b) != 0)
    return np.stack([*_two_sum(high, low), np.where(vanishes, np.inf, radius * _MORE)])

def exactly(values):
    """Numbers that a long double holds."""
    values = np.asarray(values, dtype=_REAL)
    return np.stack([values, np.zeros_like(values), np.zeros_like(values)])

def _integers(values):
    values = np.asarray(values, dtype=object)
    meaningless_if(max(map(abs, values.flat), default=0) >= 2**63, "a coefficient of too many digits")
    return exactly(values)

def _refined(x, guess, residual, step):
    """`guess` improved twice; the last residual, relative to the result, bounds its error."""
    guess = exactly(guess)
    for _ in range(2):
        guess = _plus(guess, _times(_times(guess, residual(x, guess)), exactly(step)))
        guess[2] = 0  # any number is a guess
    size = _size(residual(x, guess))
    meaningless_if(not (size <= 0.5).all(), "a constant too close to a singularity")
    guess[2] = _size(guess) * size * 2 * _MORE
    return guess

def _inverse(x):
    meaningless_if(not (x[0] != 0).all(), "a division of constants by zero")
    return _refined(x, 1 / x[0], lambda x, y: _plus(exactly(1), _negative(_times(x, y))), 1)

def _inverse_root(x):
    meaningless_if(not (x[0] > 0).all(), "a root of a constant that is not positive")
    return _refined(x, 1 / np.sqrt(x[0]), lambda x, y: _plus(exactly(1), _negative(_times(x, _times(y, y)))), 0.5)

def _root(x):
    is_zero = _size(x) == 0
    positive = np.where(is_zero, exactly(np.ones_like(x[0])), x)
    return np.where(is_zero, x, _times(positive, _inverse_root(positive)))

_FUNCTIONS = {
    "reciprocal": lambda p, x: _inverse(x),
    "sqrt": lambda p, x: _root(x),
    "inverse_deviation": lambda p, x: _inverse_root(_plus(x, exactly(p[0]))),
}

class Enclosures(Ring):
    """[high, low, radius]: the exact number lies within radius of high + low, divided by the tensor's note: an integer, so
    that what lies between two floats is decided behind a division, too."""
    _plus, _times = staticmethod(_plus), staticmethod(_times)
    def __init__(self):
        meaningless_if(np.finfo(_REAL).nmant != 63, "long doubles of another size on this machine")
    def leaf(self, kind, name, stored, shape):
        return Tensor(exactly(stored.elements), 1)
    def scale(self, x, factor):
        factor = np.asarray(factor, dtype=object)
        below = math.lcm(1, *(Fraction(f).denominator for f in factor.flat))
        return self.multiply(x, Tensor(_integers(np.frompyfunc(lambda f: int(f * below), 1, 1)(factor)), below))
    def multiply(self, a, b):
        return Tensor(super().multiply(a, b).array, a.note * b.note)
    def matmul(self, a, b):
        return Tensor(super().matmul(a, b).array, a.note * b.note)
    def convolve(self, x, w, axes, groups):
        return Tensor(super().convolve(x, w, axes, groups).array, x.note * w.note)
    def _alike(self, *tensors):
        common = math.lcm(*(t.note for t in tensors))
        return [Tensor(self._times(t.array, _integers(common // t.note)) if t.note < common else t.array, common) for t in tensors]
    def add(self, a, b):
        return super().add(*self._alike(a, b))
    def concat(self, parts, axis):
        return super().concat(self._alike(*parts), axis)
    def _sum_along(self, array, axis):
        total = np.zeros_like(array, shape=[1 if i == axis else n for i, n in enumerate(array.shape)])
        for i in range(array.shape[axis]):
            total = self._plus(total, np.take(array, [i], axis=axis))
        return total
    def _matmul(self, a, b):
        products = (self._times(a[..., k : k + 1], b[..., k : k + 1, :]) for k in range(a.shape[-1]))
        total = next(products)
        for product in products:
            total = self._plus(total, product)
        return total
    def apply(self, function, parameters, elements, window=None):
        meaningless_if(window is not None or function not in _FUNCTIONS, f"{function} of constants is not enclosed")
        x = elements[0]
        return Tensor(_FUNCTIONS[function](parameters, _times(x.array, _inverse(_integers(x.note)))), 1)

class Rough(Enclosures):
    """In one long double, and how far that may be off: enough for most."""
    @staticmethod
    @_in_blocks
    def _plus(a, b):
        value, lost = _two_sum(a[0], b[0])
        return np.stack([value, np.zeros_like(value), (np.abs(a[1]) + a[2] + np.abs(b[1]) + b[2] + np.abs(lost)) * _MORE])
    @staticmethod
    @_in_blocks
    def _times(a, b):
        """Of two numbers that floats hold the product is exact."""
        value, left, right = a[0] * b[0], _size(a), _size(b)
        radius = left * (np.abs(b[1]) + b[2]) + right * (np.abs(a[1]) + a[2])
        is_short = (a[0].astype(np.float32) == a[0]) & (b[0].astype(np.float32) == b[0])
        radius = (radius + np.where(is_short, 0, np.abs(value) * _REAL(2.0) ** -63)) * _MORE
        return np.stack([value, np.zeros_like(value), np.where((np.abs(value) < _TINY) & (left != 0) & (right != 0), np.inf, radius)])

def sign(x, below, minus, factor=1):
    """Of x / below * factor - minus, element by element: -1, 0 or 1; 2 where that is open."""
    rest = _plus(x if factor == 1 else _times(x, exactly(factor)), _times(exactly(-minus), _integers(below)))
    is_clear = np.abs(rest[0]) > (np.abs(rest[1]) + rest[2]) * _MORE
    return np.where(_size(rest) == 0, 0, np.where(is_clear, np.sign(rest[0]), 2)).astype(np.int8)
