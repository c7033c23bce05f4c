"""Bilinear forms of a convolution along one axis, exact in rationals.

A form computes `outputs` neighbouring results of a convolution with `products` multiplications: window values are
combined by `data` (products x window), taps by `taps` (products x taps), and the products by `join`
(outputs x products). Whatever stands in `data` and `join` is a number that a float holds; every other denominator is
in `taps`.
"""

from dataclasses import dataclass
from fractions import Fraction

POINTS = [Fraction(p) for p in (0, 1, -1, 2, -2, "1/2", "-1/2", 4, -4)]


@dataclass(frozen=True)
class Form:
    data: list
    taps: list
    join: list
    stride: int = 1

    @property
    def products(self):
        return len(self.data)

    @property
    def outputs(self):
        return len(self.join)

    def bias_product(self):
        """The product that goes into every output once: what is added to it is added to all of them."""
        return next(p for p in range(self.products) if all(row[p] == 1 for row in self.join))

    def check(self, padded=()):
        """That this is the convolution, but for window values that are padding wherever the form is used."""
        for j, row in enumerate(self.join):
            for k in range(len(self.taps[0])):
                for u in range(len(self.data[0])):
                    found = sum(row[p] * self.taps[p][k] * self.data[p][u] for p in range(self.products))
                    assert u in padded or found == (u == self.stride * j + k)
        return self


def times_root(polynomial, root):
    """(x - root) * polynomial, coefficients from the constant term on."""
    raised, kept = [Fraction(0), *polynomial], [*polynomial, Fraction(0)]
    return [up - root * low for up, low in zip(raised, kept)]


def toom_cook(outputs, taps):
    """outputs + taps - 1 products: values at distinct points, and the leading coefficient."""
    points = POINTS[: outputs + taps - 2]
    data, weights = [], []
    everything = [Fraction(1)]
    for p in points:
        others, scale = [Fraction(1)], Fraction(1)
        for q in points:
            if q != p:
                others, scale = times_root(others, q), scale * (p - q)
        data.append([*others, Fraction(0)])
        weights.append([p**k / scale for k in range(taps)])
        everything = times_root(everything, p)
    data.append(everything)
    weights.append([Fraction(k == taps - 1) for k in range(taps)])
    join = [[p**j for p in points] + [Fraction(j == outputs - 1)] for j in range(outputs)]
    return Form(data, weights, join).check()


def two_frames():
    """Three taps over two values between zeros: three products where tiles of two need four."""
    data = [[0, 1, 1, 0], [0, 0, 1, 0], [0, 1, 0, 0]]
    taps = [[0, 1, 0], [0, -1, 1], [1, -1, 0]]
    return Form(data, taps, [[1, 1, 0], [1, 0, 1]]).check(padded=(0, 3))


def every_second(outputs):
    """Three taps with stride two: the middle tap meets one phase, the outer two are a convolution of the other."""
    outer = toom_cook(outputs, 2)
    window = 2 * outputs + 1
    data, taps = [], []
    for values, (first, last) in zip(outer.data, outer.taps):
        data.append([values[u // 2] if u % 2 == 0 else Fraction(0) for u in range(window)])
        taps.append([first, Fraction(0), last])
    for j in range(outputs):
        data.append([Fraction(u == 2 * j + 1) for u in range(window)])
        taps.append([Fraction(k == 1) for k in range(3)])
    join = [[*row, *(Fraction(i == j) for i in range(outputs))] for j, row in enumerate(outer.join)]
    return Form(data, taps, join, stride=2).check()
