"""Shapes, lengths of polynomials (the numbers of the bound), how much work it is, and what tells expressions apart.

Nothing is evaluated: the array behind a tensor is one zero that repeats."""
import functools
import math
from fractions import Fraction
import numpy as np
from .. import digests
from ..primes import log2_sum
from ..refusals import meaningless_if, unreadable_if
from ..tensors import limited
from .ring import Ring, Tensor

_LONGEST_DENOMINATOR, _MOST_WORK = 2**16, 2**39  # bits; products
_LONGEST_ROW = 2**24  # elements that the windows of one row of a convolution's result read
# What things cost, in products of a sum.
_MOVED, _COMPUTED, _HASHED, _COEFFICIENT, _STEP = 16, 64, 512, 2**12, 2**14

class Size:
    """Total degree; log2 of the sum of absolute coefficients, as integers over `denominator`."""
    def __init__(self, degree, bits, denominator=1):
        unreadable_if(denominator.bit_length() > _LONGEST_DENOMINATOR, "coefficients with denominators too long")
        self.degree, self.bits, self.denominator = degree, bits, denominator
        self.length = bits + math.log2(denominator) + 1
    def times(self, other, terms=1):
        bits = self.bits + other.bits + math.log2(max(terms, 1))
        return Size(self.degree + other.degree, bits, self.denominator * other.denominator)
    def joined(self, other, bits):
        """With a common denominator; `bits(a, b)` joins the two lengths over it."""
        common = math.lcm(self.denominator, other.denominator)
        over = [size.bits + math.log2(common // size.denominator) for size in (self, other)]
        return Size(max(self.degree, other.degree), bits(*over), common)

VARIABLE = Size(1, 0.0)

class Sizes(Ring):
    """`applied` counts the results of element functions, `noted` their arguments; `longest` is the length of the longest of
    these, `work` what everything costs, `widest` the most elements that one step handles at once."""
    def __init__(self):
        self.applied = self.noted = self.work = self.widest = 0
        self.longest = 0.0
    def made(self, how, operands, shape, note, cost=_COMPUTED, terms=1):
        """A result, each element a sum of so many products or of that cost; operands and `how` decide what it is."""
        zeros = np.broadcast_to(np.zeros(1, dtype=np.int8), (1, *limited(shape)))
        once = _STEP + note.denominator.bit_length() ** 2 // 4  # long numbers take time while they are planned
        self.spend(once + math.prod(shape) * (cost + terms), math.prod(shape))
        decided = digests.text(repr((how, tuple(shape))))
        return Tensor(zeros, note, digests.derived("expression", decided, *(x.structure for x in operands)))
    def taken(self, value):
        """Of what was planned before."""
        made = self.made("", (), value.shape, value.size, 0)
        return Tensor(made.array, made.note, value.structure)
    def spend(self, work, width=0):
        self.work += work
        self.widest = max(self.widest, width)
        unreadable_if(self.work > _MOST_WORK, "more work than this program does")
    def leaf(self, kind, name, stored, shape):
        return self.made(("constant", stored.digest), (), shape, VARIABLE if kind != "exact" else _of_constant(stored), 0)
    def move(self, x, rearranged, *how):
        return self.made(how, (x,), rearranged(x.array).shape[1:], x.note, _MOVED)
    def take(self, x, positions, axis):
        shape = (*x.shape[:axis], *positions.shape, *x.shape[axis + 1 :])
        how = "take", axis, positions.shape, digests.of_bytes(positions.astype(np.int64).tobytes())
        return self.made(how, (x,), shape, x.note, _MOVED)
    def concat(self, parts, axis):
        shape = list(parts[0].shape)
        shape[axis] = sum(p.shape[axis] for p in parts)
        note = functools.reduce(lambda a, b: a.joined(b, max), (p.note for p in parts))
        return self.made(("concat", axis), parts, shape, note, _MOVED)
    def pad(self, x, before, after):
        return self.made(("pad", *before), (x,), [b + n + a for b, n, a in zip(before, x.shape, after)], x.note, _MOVED)
    def add(self, a, b):
        return self.made("add", (a, b), np.broadcast_shapes(a.shape, b.shape), a.note.joined(b.note, log2_sum))
    def multiply(self, a, b):
        return self.made("multiply", (a, b), np.broadcast_shapes(a.shape, b.shape), a.note.times(b.note))
    def scale(self, x, factor):
        values = [Fraction(f) for f in np.asarray(factor, dtype=object).flat]
        self.spend(_COEFFICIENT * len(values))
        common = math.lcm(*(f.denominator for f in set(values)))
        largest = max((abs(int(f * common)) for f in values), default=0)
        how = "scale", np.shape(factor), values
        return self.made(how, (x,), x.shape, x.note.times(Size(0, math.log2(max(largest, 1)), common)))
    def sum(self, x, axes):
        terms = math.prod(x.shape[i] for i in axes)
        self.spend(_COMPUTED * math.prod(x.shape))
        shape = [1 if i in axes else n for i, n in enumerate(x.shape)]
        return self.made(("sum", *sorted(axes)), (x,), shape, x.note.times(Size(0, 0.0), terms))
    def matmul(self, a, b):
        lead, depth = np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-1]
        meaningless_if(depth == 0, "a sum of no products, of which runtimes do not always make 0")
        return self.made("product", (a, b), (*lead, a.shape[-2], b.shape[-1]), a.note.times(b.note, depth), terms=depth)
    def convolve(self, x, w, axes, groups):
        terms, space = math.prod(w.shape[1:]), [axis.output for axis in axes]
        unreadable_if(terms * groups * math.prod(space[1:]) > _LONGEST_ROW, "a convolution whose rows are too long")
        how = "convolve", groups, [vars(axis) for axis in axes]
        return self.made(how, (x, w), (x.shape[0], w.shape[0], *space), x.note.times(w.note, terms), terms=terms)
    def apply(self, function, parameters, elements, window=None):
        shapes = [x.shape for x in elements]
        if window is not None:
            arranged = window.arrange(window.source.array, 0).shape[1:]
            self.spend(_HASHED * math.prod(arranged), math.prod(arranged))
            self.noted += math.prod(window.source.shape)
            shapes.append(arranged[:-1])
        shape = np.broadcast_shapes(*shapes)
        self.applied += math.prod(shape)
        self.noted += math.prod(shape) * max(1, len(elements))
        self.longest = max([self.longest, *(x.note.length for x in elements)])
        how = "apply", function, parameters, window and window.how
        return self.made(how, (*elements, *([window.source] if window else [])), shape, VARIABLE, _HASHED)

def _of_constant(stored):
    values = stored.elements.reshape(-1)
    largest, shift = 0.0, 0
    for first in range(0, len(values), 2**20):
        part = np.abs(values[first : first + 2**20].astype(np.float64))
        mantissa, exponent = np.frexp(part[part != 0])
        whole = (mantissa * 2.0**53).astype(np.int64)
        last = exponent - 53 + np.frexp((whole & -whole).astype(np.float64))[1] - 1  # place of the last bit
        largest, shift = max(largest, part.max()), max(shift, -int(last.min(initial=0)))
    return Size(0, max(0.0, math.log2(largest) + shift) if largest else 0.0, 2**shift)
