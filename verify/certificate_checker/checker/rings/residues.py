"""Residues modulo several primes; element functions by keyed hashes of their arguments."""
import math
import struct
from fractions import Fraction
from typing import NamedTuple
import numpy as np
from .. import arithmetic, digests, functions, tensors
from ..randomness import keystream, siphash
from .ring import Opaque, Ring, Tensor, aligned

_MOST_KEPT = 2**20  # elements of symbols that are drawn once: weight programs read them for every constant

class Applied(NamedTuple):
    """What something was applied to, in digests, element by element: low and high words."""
    of: str
    low: np.ndarray
    high: np.ndarray
    is_total: bool = True

def _salt(digest):
    return [int(x) for x in np.frombuffer(digest[:16], dtype="<u8")]

class Residues(Ring):
    """Everything follows from the seed; `arguments` lists what functions, and nodes without a meaning, were applied to on
    the way to an output: what none needs may never be computed, and says nothing of where a program is defined."""
    def __init__(self, seed, primes):
        self.primes = primes
        self._points = digests.derived("points", seed)
        key = digests.derived("keyed hash of elements", digests.derived("hash", seed))
        self._keys = [next(keystream(key, n, 2)).tolist() for n in range(3 + len(primes))]
        names = ("window element", "hole", "multiset")
        self._window_salts = [_salt(digests.derived("salt", digests.text(what))) for what in names]
        self.arguments, self._drawn, self._room = [], {}, _MOST_KEPT
        self.opaque_nodes = {}  # of nodes without a meaning the names, by digest
    def _by_prime(self, operation, *arrays):
        return np.stack([operation(*(a[i] for a in arrays), p) for i, p in enumerate(self.primes)])
    def leaf(self, kind, name, stored, shape):
        if kind == "exact":
            return Tensor(np.stack([arithmetic.residues_of_floats(stored.elements, p) for p in self.primes]))
        what = stored.digest if kind == "symbol" else digests.text(name) + digests.text(tensors.written(stored, shape))
        key = digests.derived("variable", self._points, digests.text(kind), what)
        if key in self._drawn:
            return self._drawn[key]
        drawn, number = self._random(key, shape), math.prod(shape)
        if kind == "symbol" and number <= self._room:
            self._drawn[key], self._room = drawn, self._room - number
        return drawn
    def _random(self, key, shape):
        lanes, number = range(len(self.primes)), math.prod(shape)
        pieces = ([arithmetic.residues_of_words(words, self.primes[i]) for words in keystream(key, i, number)] for i in lanes)
        return Tensor(np.stack([np.concatenate([np.empty(0), *lane]).reshape(shape) for lane in pieces]))
    def _plus(self, a, b):
        return self._by_prime(arithmetic.plus, a, b)
    def _times(self, a, b):
        return self._by_prime(arithmetic.times, a, b)
    def scale(self, x, factor):
        factors = np.asarray(factor, dtype=object)
        def scaled(array, p):
            residues = [arithmetic.residue_of_fraction(Fraction(f), p) for f in factors.flat]
            return arithmetic.times(array, np.array(residues, dtype=np.float64).reshape(factors.shape), p)
        return Tensor(self._by_prime(scaled, x.array))
    def _sum_along(self, array, axis):
        return self._by_prime(lambda x, p: arithmetic.sum_along(x, axis - 1, p), array)
    def _matmul(self, a, b):
        return self._by_prime(arithmetic.matmul, a, b)
    def apply(self, function, parameters, elements, window=None):
        count, *rest = map(digests.number, (len(parameters), len(elements), 0 if window is None else 2))
        salt = digests.derived("element function", digests.text(function), count,
                               *(struct.pack("<d", p) for p in parameters), *rest)  # fmt: skip
        arrays = [x.array for x in elements]
        if window is not None:
            (low, high), half = self._window_digests(window), np.uint64(2**32 - 1)
            arrays.append(np.stack([low & half, low >> np.uint64(32), high & half, high >> np.uint64(32)]))
        arrays = aligned(*arrays)
        shape = np.broadcast_shapes(*(a.shape[1:] for a in arrays))
        words = [np.broadcast_to(lane, shape).reshape(-1).astype(np.uint64) for array in arrays for lane in array]
        low, high = siphash(self._keys[0], _salt(salt) + _paired(words), 16 + 4 * len(words), wide=True)
        number = math.prod(shape)
        for place in range(max(1, len(elements))):
            self._note(function, low[:number] + np.uint64(place), high[:number], functions.of(function).is_total)
        out = np.empty((len(self.primes), number))
        for lane, p in enumerate(self.primes):
            (hashed,) = siphash(self._keys[3 + lane], [low, high], 16, wide=False)
            out[lane] = arithmetic.residues_of_words(hashed[:number], p)
        return Tensor(out.reshape(len(self.primes), *shape))
    def _note(self, *what):
        if self.needed:
            self.arguments.append(Applied(*what))
    def _window_digests(self, window):
        """The low and the high words of each row's digest."""
        element_salt, hole, row_salt = self._window_salts
        words = [lane.reshape(-1).astype(np.uint64) for lane in window.source.array]
        columns = siphash(self._keys[0], element_salt + _paired(words), 16 + 4 * len(words), wide=True)
        self._note("a window", *(column[: len(words[0])] for column in columns))
        low, high = (
            window.arrange(column[: len(words[0])].reshape(1, *window.source.shape), np.uint64(fill))[0]
            for column, fill in zip(columns, hole)
        )
        shape, width = low.shape[:-1], low.shape[-1]
        low, high = (column.reshape(math.prod(shape), width) for column in (low, high))
        order = np.lexsort((high, low), axis=-1)
        low, high = (np.take_along_axis(column, order, axis=-1) for column in (low, high))
        message = row_salt + [width] + [column[:, i] for i in range(width) for column in (low, high)]
        out = siphash(self._keys[2], message, 24 + 16 * width, wide=True)
        return [np.broadcast_to(column, low.shape[:1]).reshape(shape) for column in out]
    def opaque(self, step, operands, types):
        found = [b"" if x is None else x.digest if isinstance(x, Opaque) else _content(x, t) for x, t in zip(operands, types)]
        digest = digests.derived("application", step.content, *map(digests.text, found))
        self.opaque_nodes.setdefault(digest, step.label)
        for place, x in enumerate(operands):
            if isinstance(x, Tensor):
                low, high = _salt(digests.derived("operand", digest, digests.number(place)))
                number = np.arange(math.prod(x.shape), dtype=np.uint64)
                self._note(step.label, number + np.uint64(low), np.full_like(number, high))
        made = [digests.derived("result", digest, digests.number(i)) for i in range(len(step.shapes))]
        keys = [digests.derived("drawn", self._points, one) for one in made]
        return [Opaque(one) if shape is None else self._random(key, shape) for one, key, shape in zip(made, keys, step.shapes)]

class Independent(Residues):
    """Points that nobody has to be unable to foresee: what differs at any two of them depends on where they are."""
    def _random(self, key, shape):
        draws = np.random.default_rng([*key])
        return Tensor(np.stack([draws.integers(p, size=shape, dtype=np.uint32) for p in self.primes]).astype(np.float64))

def _content(x, type_name):
    written = digests.text(tensors.written(type_name, x.shape))
    return digests.derived("value", written, digests.text(np.ascontiguousarray(x.array).tobytes()))

def _paired(words):
    """Columns of 32-bit words as 64-bit ones, the first of two low."""
    zero = [np.uint64(0)] if len(words) % 2 else []
    return [low | high << np.uint64(32) for low, high in zip(words[::2], words[1::2] + zero)]
