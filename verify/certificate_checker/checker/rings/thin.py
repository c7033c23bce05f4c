"""Residues of a piece of a program, which is a sum of products of free values, where that is as good as at full size.

Of two runs the first follows which digits of axes are read in the same way everywhere (`Digits`), the second evaluates. A class of
digits is free if whoever permutes it in all free values at once gets the same programs, and no product sums over it twice. Then
equal at one place of it, where results have it, is equal at all; where it is only summed over, values elsewhere may be 0, for
every monomial has values of one place alone. There the second run has two places: the first one, and one that stands for all the
others, in which free values are 0 and which sums count as often as it stands for others. The README has the proof."""
import copy
import math
from types import SimpleNamespace
from typing import NamedTuple
import numpy as np
from .. import arithmetic, digests
from ..refusals import refused_if, unreadable_if
from .digits import Digits
from .residues import Residues
from .ring import Ring, Tensor, aligned

_MOST_WORK, _MOST_MEMORY = 2**37, 2**32  # products under all primes; bytes of one value

class Term(NamedTuple):
    """Products that a value is a sum of: of these, over digits that it has itself, and over those."""
    value: int
    factors: list
    own: list
    summed: list

class ThinTensor(Tensor):
    """`axes`: of digits; `shape`: the whole one; `is_free`: of more than constants; `whole`: free values that it reads all of."""
    __slots__ = ("axes", "shape", "number", "is_free", "whole")

class Thin(Residues):
    _PLACES = 2  # of a class that is summed over: one, and the others
    def __init__(self, seed, primes):
        super().__init__(seed, primes)
        self._digits, self._terms, self._arguments, self._leaves = Digits(), [], [], {}
        self._made, self._next, self._places = [], None, {}  # of the first run; how far the second is; of free classes
    def _result(self, axes, shape, terms, compute, operands, summed=(), is_whole=True):
        """`terms`: lists of factors; `compute(axes)`: its array, once those of operands are known."""
        number = len(self._made) if self._next is None else self._next
        if self._next is None:
            self._made.append(axes)
            own = [d for axis in axes for d in axis]
            self._terms += [Term(number, [f.number for f in factors], own, list(summed)) for factors in terms]
        out = ThinTensor(None)
        out.axes, out.shape, out.number = self._made[number], tuple(shape), number
        out.is_free = any(x.is_free for x in operands)
        out.whole = frozenset().union(*(x.whole for x in operands)) if is_whole else frozenset()
        if self._next is not None:
            self._next += 1
            out.array = compute(out.axes)
        return out
    def _extents(self, axes):
        return [math.prod(self._places.get(d, self._digits.extents[d]) for d in self._digits.classes(axis)) for axis in axes]
    def _scaled(self, array, axes, of_others):
        """By axis: places that stand for others count what is said of so many others."""
        for i, axis in axes.items():
            factors = np.ones(1)
            for digit in self._digits.classes(axis):
                extent, places = self._digits.extents[digit], self._places.get(digit)
                factors = np.kron(factors, [1, of_others(extent - 1)][:places] if places else np.ones(extent))
            if (factors != 1).any():
                factors = factors.reshape(-1, *(1,) * (array.ndim - i - 2))
                array = self._by_prime(lambda x, p: arithmetic.times(x, np.mod(factors, p), p), array)
        return array
    def _counted(self, array, axes):
        return self._scaled(array, axes, lambda others: others)
    def _without_others(self, array, axes):
        return self._scaled(array, dict(enumerate(axes)), lambda others: 0)
    def _read_otherwise(self, x, *axes):
        for axis in axes:
            self._digits.spoil(x.axes[axis])
    def _new(self, shape, is_spoiled=True):
        return [self._digits.axis(n, is_spoiled) for n in shape]
    def _broadcast(self, *operands):
        """The axes of what is made of them element by element, and its shape."""
        rank = max((len(x.shape) for x in operands), default=0)
        axes, shape = [[] for _ in range(rank)], [1] * rank
        for x in operands:
            for i, (axis, extent) in enumerate(zip(x.axes, x.shape), rank - len(x.shape)):
                if extent != 1 and shape[i] != 1:
                    self._digits.unite(axes[i], axis)
                elif extent != 1:
                    axes[i], shape[i] = axis, extent
        return axes, shape
    def free(self, key, shape):
        """A value of which nothing is known."""
        axes = self._leaves.setdefault(key, self._new(shape, False))
        drawn_from = digests.derived("free", self._points, key)
        out = self._result(axes, shape, [], lambda axes: self._without_others(self._random(drawn_from, self._extents(axes)).array, axes), [])
        out.is_free, out.whole = True, frozenset([key])
        return out
    def leaf(self, kind, name, stored, shape):
        if kind == "symbol":
            out = self.free(stored.digest, shape)
            out.is_free = False
            return out
        refused_if(kind != "exact", "places", f"its evidence does not name {name}")
        made = super().leaf
        return self._result(self._new(shape), shape, [], lambda axes: made(kind, name, stored, shape).array, [])
    # Movements: what is not read plainly is spoiled.
    def move(self, x, rearranged, *how):
        self._read_otherwise(x, *range(len(x.shape)))
        shape = rearranged(np.broadcast_to(np.zeros(1, np.int8), (1, *x.shape))).shape[1:]
        return self._result(self._new(shape), shape, [[x]], lambda axes: rearranged(x.array), [x], is_whole=False)
    def reshape(self, x, shape):
        axes = self._digits.regrouped(x.axes, shape)
        return self._result(axes, shape, [[x]], lambda axes: x.array.reshape(len(x.array), *self._extents(axes)), [x])
    def transpose(self, x, order):
        axes, shape = ([of[i] for i in order] for of in (x.axes, x.shape))
        return self._result(axes, shape, [[x]], lambda axes: x.array.transpose(0, *(i + 1 for i in order)), [x])
    def expand(self, x, shape):
        axes = [axis if n == m else self._digits.axis(m) for axis, n, m in zip(x.axes, x.shape, shape)]
        return self._result(axes, shape, [[x]], lambda axes: np.broadcast_to(x.array, (len(x.array), *self._extents(axes))), [x])
    def slice(self, x, slices):
        parts = {i: one for i, one in slices.items() if range(x.shape[i])[one] != range(x.shape[i])}
        which = tuple(parts.get(i, slice(None)) for i in range(len(x.shape)))
        self._read_otherwise(x, *parts)
        shape = [len(range(n)[one]) for n, one in zip(x.shape, which)]
        axes = [self._digits.axis(shape[i], True) if i in parts else axis for i, axis in enumerate(x.axes)]
        return self._result(axes, shape, [[x]], lambda axes: x.array[(slice(None), *which)], [x], is_whole=shape == list(x.shape))
    def take(self, x, positions, axis):
        self._read_otherwise(x, axis)
        axes, shape = ([*of[:axis], *new, *of[axis + 1 :]] for of, new in ((x.axes, self._new(positions.shape)), (x.shape, positions.shape)))
        is_whole = len(np.unique(positions)) == x.shape[axis]
        return self._result(axes, shape, [[x]], lambda axes: np.take(x.array, positions, axis=axis + 1), [x], is_whole=is_whole)
    def pad(self, x, before, after):
        """An axis with whole blocks of zeros at its ends is that axis, in one of as many blocks."""
        shape, axes = [b + n + a for b, n, a in zip(before, x.shape, after)], list(x.axes)
        for i, n in enumerate(x.shape):
            if n and before[i] % n == after[i] % n == 0:
                axes[i] = [*self._digits.axis(shape[i] // n, True), *x.axes[i]]
            else:
                self._read_otherwise(x, i)
                axes[i] = self._digits.axis(shape[i], True)
        def compute(_):
            extents = zip(before, after, x.shape, self._extents(x.axes))
            return np.pad(x.array, [(0, 0), *((b * thin // n, a * thin // n) if n else (b, a) for b, a, n, thin in extents)])
        return self._result(axes, shape, [[x]], compute, [x])
    def concat(self, parts, axis):
        axes, shape = list(parts[0].axes), list(parts[0].shape)
        for x in parts:
            self._read_otherwise(x, axis)
            for i, other in enumerate(x.axes):
                if i != axis and x is not parts[0]:
                    self._digits.unite(axes[i], other)
        shape[axis] = sum(x.shape[axis] for x in parts)
        axes[axis] = self._digits.axis(shape[axis], True)
        return self._result(axes, shape, [[x] for x in parts], lambda axes: np.concatenate([x.array for x in parts], axis=axis + 1), parts)
    # Sums and products.
    def add(self, a, b):
        return self._result(*self._broadcast(a, b), [[a], [b]], lambda axes: self._plus(*aligned(a.array, b.array)), [a, b])
    def multiply(self, a, b):
        return self._result(*self._broadcast(a, b), [[a, b]], lambda axes: self._times(*aligned(a.array, b.array)), [a, b])
    def scale(self, x, factor):
        self._read_otherwise(x, *(-i for i, extent in enumerate(np.shape(factor)[::-1], 1) if extent != 1))
        made = super().scale
        return self._result(x.axes, x.shape, [[x]], lambda axes: made(Tensor(x.array), factor).array, [x])
    def sum(self, x, axes):
        made, summed = super().sum, {i: x.axes[i] for i in axes}
        left, shape = ([one if i in summed else of for i, of in enumerate(each)] for one, each in (([], x.axes), (1, x.shape)))
        return self._result(left, shape, [[x]], lambda _: made(Tensor(self._counted(x.array, summed)), axes).array, [x], sum(summed.values(), []))
    def matmul(self, a, b):
        axes, shape = self._broadcast(*(SimpleNamespace(axes=x.axes[:-2], shape=x.shape[:-2]) for x in (a, b)))
        self._digits.unite(a.axes[-1], b.axes[-2])
        axes, shape, last = [*axes, a.axes[-2], b.axes[-1]], [*shape, a.shape[-2], b.shape[-1]], {len(a.shape) - 1: a.axes[-1]}
        return self._result(axes, shape, [[a, b]], lambda _: self._matmul(*aligned(self._counted(a.array, last), b.array)), [a, b], a.axes[-1])
    def convolve(self, x, w, axes, groups):
        group, channel = self._digits.regrouped([x.axes[1]], (groups, x.shape[1] // groups))
        group_too, feature = self._digits.regrouped([w.axes[0]], (groups, w.shape[0] // groups))
        self._digits.unite(group, group_too)
        self._digits.unite(channel, w.axes[1])
        space, summed, is_whole = [], list(channel), True
        for i, axis in enumerate(axes, 2):
            is_plain = axis.kernel == axis.stride == 1 and axis.output == x.shape[i]
            for one in [] if is_plain else (x, w):
                self._read_otherwise(one, i)
            space.append(x.axes[i] if is_plain else self._digits.axis(axis.output, True))
            summed += w.axes[i]
            ends = (axis.output - 1) * axis.stride + axis.reach == x.shape[i]
            is_whole &= is_plain or axis.dilation == 1 and axis.stride <= axis.kernel and ends
        shape = (x.shape[0], w.shape[0], *(axis.output for axis in axes))
        def compute(axes_):
            thin, kernel = [copy.copy(axis) for axis in axes], self._counted(w.array, {1: w.axes[1]})
            for axis, extent in zip(thin, self._extents(space)):
                axis.output = extent
            return Ring.convolve(self, Tensor(x.array), Tensor(kernel), thin, *self._extents([group])).array
        return self._result([x.axes[0], [*group, *feature], *space], shape, [[x, w]], compute, [x, w], summed, is_whole)
    # Functions, of constants alone: what they yield counts as free.
    def apply(self, function, parameters, elements, window=None):
        read, made = [*elements, *([window.source] if window else [])], super().apply
        refused_if(any(x.is_free for x in read), "places", f"a piece applies {function}")
        axes, shape = self._broadcast(*elements)
        if window is not None:
            for x in read:
                self._read_otherwise(x, *range(len(x.shape)))
            axes = self._new(shape := np.broadcast_shapes(window.rows(), shape))
        def compute(axes):
            return self._without_others(made(function, parameters, [Tensor(x.array) for x in elements], window).array, axes)
        self._arguments += [x.number for x in read]
        return self._result(axes, shape, [], compute, read)
    def opaque(self, step, operands, types):
        refused_if(True, "places", f"a piece holds {step.label}")
    # Between the runs.
    def decide(self, results):
        """What is free, after the first run of both; of what is compared the axes, in one order."""
        for axes in zip(*results):
            self._digits.unite(*axes)
        self._terms += [Term(-1, [], [d for axis in axes for d in axis], []) for axes in results]
        terms = [Term(t.value, t.factors, *map(self._digits.classes, (t.own, t.summed))) for t in self._terms]
        self._spoil_repeated(terms)
        kept = {digit for term in terms[-len(results) :] for digit in term.own}
        for digit in {digit for term in terms for digit in term.own + term.summed}:
            if not self._digits.is_spoiled[digit] and self._is_summed_once(digit, terms):
                self._places[digit] = 1 if digit in kept else min(self._PLACES, self._digits.extents[digit])
        for term in terms:
            number, depth = self._extents([term.own, term.summed])
            is_large = 8 * len(self.primes) * number > _MOST_MEMORY or len(self.primes) * number * depth > _MOST_WORK
            unreadable_if(is_large, "a piece takes more memory, or more products, than this program does")
        self._next = 0
    def _spoil_repeated(self, terms):
        """No product has a class at two variables."""
        for term in terms:
            met = term.own + term.summed
            self._digits.spoil([digit for digit in met if met.count(digit) > 1])
    def _is_summed_once(self, digit, terms):
        """No product of any value sums over the class twice, or sums over it and has it; and no function is of such a sum."""
        depths = {}
        for term in terms:
            below = sum(depths.get(factor, 0) for factor in term.factors)
            if (digit in term.own or digit in term.summed) + below > 1:
                return False
            depths[term.value] = max(depths.get(term.value, 0), below + (digit in term.summed))
        return not any(depths.get(number) for number in self._arguments)
