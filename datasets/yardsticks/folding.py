"""Sums of constants times rational numbers, rounded to the nearest float, ties to even."""

from fractions import Fraction
from math import lcm

import numpy as np

assert np.finfo(np.longdouble).nmant >= 63, "long doubles of 64 bits decide almost every rounding"


def over_common_odd(matrix):
    """(numerators that a float holds, an odd number): their quotients are the entries of the matrix."""
    odd = 1
    for entry in (Fraction(e) for row in matrix for e in row):
        part = entry.denominator
        while part % 2 == 0:
            part //= 2
        odd = lcm(odd, part)
    numerators = np.array([[float(Fraction(e) * odd) for e in row] for row in matrix], dtype=np.float32)
    exact = [[Fraction(e) * odd for e in row] for row in matrix]
    assert all(Fraction(float(n)) == e for row, exacts in zip(numerators, exact) for n, e in zip(row, exacts))
    return numerators, odd


def nearest(coefficients, arrays, divisor):
    """sum(c * x) / divisor, element by element, correctly rounded. The coefficients are short dyadic numbers."""
    total = np.zeros(arrays[0].shape, np.longdouble)
    size = np.zeros(arrays[0].shape, np.longdouble)
    exact = np.ones(arrays[0].shape, bool)
    for c, x in zip(coefficients, arrays):
        term = np.longdouble(c) * x.astype(np.longdouble)  # exact: 24 bits and a short number
        sum_ = total + term
        part = sum_ - total
        exact &= (total - (sum_ - part)) + (term - part) == 0
        total = sum_
        size += np.abs(term)
    value = total / np.longdouble(divisor)
    exact &= (value.astype(np.float64) == value) & (value * np.longdouble(divisor) == total) & (divisor < 2048)
    out = value.astype(np.float32)
    margin = size * np.longdouble(2.0**-60)
    doubtful = ~exact & ((value - margin).astype(np.float32) != (value + margin).astype(np.float32))
    for at in zip(*np.nonzero(doubtful)):
        value = sum(Fraction(float(c)) * Fraction(float(x[at])) for c, x in zip(coefficients, arrays)) / divisor
        out[at] = nearest_float(value)
    return out


def nearest_float(value):
    near = np.float32(float(value))
    candidates = [near, np.nextafter(near, np.float32(-np.inf)), np.nextafter(near, np.float32(np.inf))]
    return min(candidates, key=lambda f: (abs(Fraction(float(f)) - value), int(f.view(np.uint32)) & 1))
