"""The interface that operators are defined over, and the parts of it that all rings share.

A tensor is an array whose first axis is the ring's own (primes; a sum and its radius; or one), and a note. The ring of
sizes also has a digest of the expression. Operators touch elements through the methods of a ring alone."""
import math
from typing import Callable, NamedTuple
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from .. import tensors
from ..refusals import NoMeaning

_PATCH_ELEMENTS = 2**22  # of a convolution's operand unrolled at once, for each prime

class Tensor:
    __slots__ = ("array", "note", "structure")
    def __init__(self, array, note=None, structure=b""):
        self.array, self.note, self.structure = array, note, structure
    @property
    def shape(self):
        return self.array.shape[1:]

class Opaque(NamedTuple):
    """A result, of unknown shape, of a node without a meaning: equal where the digest is."""
    digest: bytes

class Window(NamedTuple):
    """The row or window that a function sees beside its elements. `arrange(array, hole)` lays out an array with the
    source's axes (and the ring's in front) as [ring, *one row for each result, width], `hole` standing where the window
    leaves the source; `how` tells arrangements apart."""
    source: Tensor
    arrange: Callable
    how: object
    def rows(self):
        """The shape of the results, of one row each."""
        return self.arrange(np.broadcast_to(np.zeros(1, np.int8), (1, *self.source.shape)), 0).shape[1:-1]

def aligned(*arrays):
    """Arrays with axes of one put in behind the ring's, so that the others broadcast."""
    rank = max(a.ndim for a in arrays)
    return [a.reshape(a.shape[:1] + (1,) * (rank - a.ndim) + a.shape[1:]) for a in arrays]

class Ring:
    """Arithmetic as numpy does it on the ring's arrays; each ring replaces what differs."""
    needed = True  # whether what is computed now leads to an output
    _plus, _times, _matmul = map(staticmethod, (np.add, np.multiply, np.matmul))
    _note_of_product = staticmethod(lambda a, b: None)
    def leaf(self, kind, name, stored, shape):
        """An `input`, a `symbol` (an unknown tensor with these bits) or an `exact` constant."""
        raise NotImplementedError
    def number(self, value):
        return self.leaf("exact", "", tensors.of_array("float", value, ()), ())
    def move(self, x, rearranged, *how):
        """`rearranged` maps arrays (the ring's axis in front) to arrays of the same elements; `how` tells movements apart."""
        return Tensor(rearranged(x.array), x.note)
    def reshape(self, x, shape):
        return self.move(x, lambda a: a.reshape(a.shape[0], *shape), "reshape")
    def transpose(self, x, order):
        return self.move(x, lambda a: a.transpose(0, *(i + 1 for i in order)), "transpose", *order)
    def expand(self, x, shape):
        return self.move(x, lambda a: np.broadcast_to(a, (a.shape[0], *shape)), "expand")
    def slice(self, x, slices):
        which = tuple(slices.get(i, slice(None)) for i in range(len(x.shape)))
        read = [range(n)[one] for n, one in zip(x.shape, which)]
        how = [(*r[:1], r.step * (len(r) > 1)) for r in read]  # the same elements are the same slice
        return self.move(x, lambda a: a[(slice(None), *which)], "slice", *how)
    def take(self, x, positions, axis):
        """`positions`: an array of integers, whose axes come in place of that axis."""
        return self.move(x, lambda a: np.take(a, positions, axis=axis + 1))
    def concat(self, parts, axis):
        return Tensor(np.concatenate([p.array for p in parts], axis=axis + 1), parts[0].note)
    def pad(self, x, before, after):
        widths = [(0, 0), *zip(before, after)]
        return Tensor(np.pad(x.array, widths) if any(map(any, widths)) else x.array, x.note)
    def add(self, a, b):
        return Tensor(self.held(self._plus(*aligned(a.array, b.array))), a.note)
    def multiply(self, a, b):
        return Tensor(self.held(self._times(*aligned(a.array, b.array))), self._note_of_product(a.note, b.note))
    def subtract(self, a, b):
        return self.add(a, self.scale(b, -1))
    def divide(self, a, b):
        return self.multiply(a, self.apply("reciprocal", (), [b]))
    def scale(self, x, factor):
        """`factor`: a rational number, or an object array of them that broadcasts to `x`."""
        return Tensor(self.held(x.array * np.asarray(factor, dtype=np.float64)))
    def sum(self, x, axes):
        """The axes stay with one element each."""
        array = x.array
        for axis in axes:
            array = self._sum_along(array, axis + 1)
        return Tensor(self.held(array), x.note)
    def _sum_along(self, array, axis):
        return np.sum(array, axis=axis, keepdims=True)
    def matmul(self, a, b):
        """Both of rank 2 at least; the leading axes broadcast."""
        return Tensor(self.held(self._matmul(*aligned(a.array, b.array))), self._note_of_product(a.note, b.note))
    def convolve(self, x, w, axes, groups):
        """x: [n, channels, *space], already padded; w: [features, channels / groups, *kernel]."""
        array, kernel, rank = x.array, w.array, len(axes)
        lanes, batch = array.shape[:2]
        features, space = kernel.shape[1], tuple(axis.output for axis in axes)
        view = window_view(array, axes)
        kernel = kernel.reshape(lanes, groups, features // groups, math.prod(kernel.shape[2:]))
        out = np.empty((lanes, batch, features, *space), dtype=array.dtype)
        rows = max(1, _PATCH_ELEMENTS // max(math.prod(array.shape[2:3] + view.shape[4:]), 1))
        for n in range(batch):
            for first in range(0, space[0], rows):
                part = view[:, n, :, first : first + rows]
                patches = part.transpose(0, 1, *range(2 + rank, 2 + 2 * rank), *range(2, 2 + rank))
                patches = patches.reshape(lanes, groups, kernel.shape[3], math.prod(part.shape[2 : 2 + rank]))
                sums = self._matmul(kernel, patches).reshape(lanes, features, *part.shape[2 : 2 + rank])
                out[:, n, :, first : first + rows] = sums
        return Tensor(self.held(out), self._note_of_product(x.note, w.note))
    def apply(self, function, parameters, elements, window=None):
        """See functions.py."""
        raise NoMeaning(f"{function} cannot be computed here")
    def opaque(self, step, operands, types):
        """The results of a node without a meaning: fresh values where a shape is known, elsewhere what the ring can tell."""
        return [None] * len(step.outputs)
    def held(self, array):
        """Sums and products as they are kept, whether an operator reads them on or they are its result."""
        return array

def window_view(array, axes):
    """[ring, n, c, *outputs, *taps]: what each window of a padded array reads."""
    view = sliding_window_view(array, tuple(axis.reach for axis in axes), axis=tuple(range(3, 3 + len(axes))))
    starts = tuple(slice(0, (a.output - 1) * a.stride + 1, a.stride) for a in axes)
    taps = tuple(slice(None, None, axis.dilation) for axis in axes)
    return view[(slice(None), slice(None), slice(None), *starts, *taps)]
