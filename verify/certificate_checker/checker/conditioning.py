"""What functions are applied to, and demand 6: rounding decides nothing."""
import numpy as np
from .refusals import refused_if, shown
from .rings.numbers import Magnitudes
from .rings.ring import Tensor

_LARGEST_GROWTH = 2.0**16

class Arguments:
    """What the first program applies functions to on the way to its outputs, by digest, and how large it is there."""
    def __init__(self, ring):
        none = np.empty(0, dtype=np.uint64)
        self.low = np.concatenate([none] + [a.low for a in ring.applied])
        self.high = np.concatenate([none] + [a.high for a in ring.applied])
        self.order = np.lexsort((self.high, self.low))
        self.sorted = self.low[self.order]
    def find(self, given):
        """Places of equal arguments; -1 where the first program has none."""
        if not len(self.sorted):
            return np.full(len(given.low), -1)
        place = self.order[np.minimum(np.searchsorted(self.sorted, given.low), len(self.sorted) - 1)]
        return np.where((self.low[place] == given.low) & (self.high[place] == given.high), place, -1)
    def measure(self, sizes):
        """Equal arguments count what the largest of them does."""
        self.sizes = np.concatenate([np.empty((2, 0)), *sizes], axis=1)
        starts = np.flatnonzero(np.r_[True, np.diff(self.sorted) != 0][: len(self.sorted)])
        if len(starts):
            largest = np.maximum.reduceat(self.sizes[:, self.order], starts, axis=1)
            self.sizes[:, self.order] = np.repeat(largest, np.diff(np.r_[starts, len(self.sorted)]), axis=1)

def _raised(sizes):
    """A zero may be nothing but padding, and what cancels there is no worse than beside it: it counts what the least
    element of its channel does, up to 1."""
    axes = tuple(i for i in range(1, sizes.ndim) if i != 2)
    least = np.where(sizes > 0, sizes, np.inf).min(axis=axes, keepdims=True, initial=np.inf)
    return np.where((sizes == 0) & np.isfinite(least), np.minimum(least, 1), sizes)

def _spread(sizes, shape):
    """Broadcast, in a row."""
    aligned = sizes.reshape(2, *(1,) * (len(shape) + 1 - sizes.ndim), *sizes.shape[1:])
    return np.broadcast_to(aligned, (2, *shape)).reshape(2, -1)

def check_conditioning(pair, second, arguments):
    """How much larger the second program's terms are, at worst; `second`: its residues, for what it applies functions to."""
    sizes, worst, applied = [], [1.0], iter(second.applied)
    def compare(what, theirs, mine):
        """Element by element. What floats do not hold in either program is held against the reals alone."""
        theirs, mine = theirs.reshape(2, -1), mine.reshape(2, -1)
        ratio = np.where(theirs <= mine, 1, theirs / mine)
        ratio[0, np.isinf(theirs[0])] = np.inf
        worst.append(float(ratio.max(initial=1)))
        said = f"{what}: the second file's terms are {worst[-1]:.3g} times larger than the first's"
        refused_if(worst[-1] > _LARGEST_GROWTH, "conditioning", said)
    def note_first(given, shape):
        sizes.append(_spread(_raised(given), shape))
        return np.ones((2, *shape))
    def note_second(given, shape):
        argument = next(applied)
        place = arguments.find(argument)
        found = place >= 0
        compare(f"an argument of {argument.of}", _spread(given, shape)[:, found], arguments.sizes[:, place[found]])
        return np.broadcast_to(np.where(found, 1.0, np.inf).reshape(shape), (2, *shape))
    ring = Magnitudes(note_first)
    outputs_a = pair.program_a.run(ring, pair.leaf_in(ring))
    arguments.measure(sizes)
    ring = Magnitudes(note_second)
    outputs_b = pair.program_b.run(ring, pair.leaf_in(ring))
    for mine, theirs in zip(pair.program_a.outputs, pair.program_b.outputs):
        if isinstance(outputs_a[mine], Tensor) and isinstance(outputs_b[theirs], Tensor):
            compare(f"output {shown(mine)}", outputs_b[theirs].array[:2], _raised(outputs_a[mine].array[:2]))
    return max(worst)
