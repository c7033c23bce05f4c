"""Exact arithmetic modulo primes of 30 bits, in arrays of doubles that hold whole numbers.

A product of matrices splits one factor into two halves of 15 bits, so that no sum leaves the 53 bits that a double
holds exactly."""
import numpy as np

_DEPTH = 500  # products in a sum: 500 * 2^14 * 2^30 + 2^30 < 2^53

def reduced(x, p):
    """Whole numbers of absolute value below 2^53 - p, modulo p, in place."""
    quotient = np.floor(x * (1.0 / p))
    quotient *= p
    x -= quotient
    np.add(x, p, out=x, where=x < 0)
    np.subtract(x, p, out=x, where=x >= p)
    return x

def plus(a, b, p):
    out = np.asarray(a + b)  # of two numbers, too
    return np.subtract(out, p, out=out, where=out >= p)

def residues_of_words(words, p):
    """64-bit words modulo p."""
    return (words - words // np.uint64(p) * np.uint64(p)).astype(np.float64)

def times(a, b, p):
    return residues_of_words(a.astype(np.uint64) * b.astype(np.uint64), p)

def sum_along(x, axis, p):
    """Sums along one axis (counted from the front), 2^22 elements at once."""
    total = np.zeros_like(x, shape=[1 if i == axis else n for i, n in enumerate(x.shape)])
    for first in range(0, x.shape[axis], 2**22):
        piece = x[(slice(None),) * axis + (slice(first, first + 2**22),)]
        total = plus(total, reduced(np.sum(piece, axis=axis, keepdims=True), p), p)
    return total

def _halves(x, p):
    """x = low + 2^15 high modulo p, both at most 2^14 in absolute value."""
    centred = np.where(x > p // 2, x - p, x)
    high = np.rint(centred / 2**15)
    return centred - high * 2**15, high

def matmul(a, b, p):
    """Products of matrices (the last two axes, the others broadcast)."""
    total = None
    for first in range(0, max(a.shape[-1], 1), _DEPTH):
        left, right = a[..., first : first + _DEPTH], b[..., first : first + _DEPTH, :]
        is_left = left.size <= right.size
        low, high = ((half, right) if is_left else (left, half) for half in _halves(left if is_left else right, p))
        part = reduced(np.matmul(*low), p)
        if high[0 if is_left else 1].any():  # it is 0 for small coefficients
            part = reduced(reduced(np.matmul(*high), p) * 2**15 + part, p)
        total = part if total is None else plus(total, part, p)
    return total

def residues_of_floats(values, p):
    """The exact values of finite doubles modulo p."""
    mantissa, exponent = np.frexp(values.astype(np.float64))
    whole = (mantissa * 2.0**53).astype(np.int64)
    powers, place = np.unique(exponent, return_inverse=True)
    table = np.array([pow(2, int(e) - 53, p) for e in powers] or [0], dtype=np.float64)
    return times(np.mod(whole, p).astype(np.float64), table[place.reshape(values.shape)], p)

def residue_of_fraction(value, p):
    """ValueError where p divides the denominator."""
    return value.numerator % p * pow(value.denominator, -1, p) % p
