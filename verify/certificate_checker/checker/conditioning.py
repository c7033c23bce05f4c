"""What functions are applied to, and demand 6: rounding decides nothing."""
import numpy as np
from .refusals import refused_if, shown
from .rings.numbers import Magnitudes
from .rings.ring import Tensor

_LARGEST_GROWTH = 2.0**16

class Arguments:
    """What the first program applies functions to on the way to its outputs, by digest, and how large it is there."""
    def __init__(self, ring):
        low, high = (np.concatenate([np.empty(0, np.uint64), *(a[i] for a in ring.arguments)]) for i in (1, 2))
        ring.arguments.clear()  # there may be hundreds of millions
        self.order = np.lexsort((high, low)).astype(np.uint32)
        low, high = low[self.order], high[self.order]
        self.starts = np.flatnonzero(np.r_[True, (low[1:] != low[:-1]) | (high[1:] != high[:-1])][: len(low)])
        self.low, self.high = low[self.starts], high[self.starts]
    def find(self, given):
        """Places of equal arguments; -1 where the first program has none."""
        if not len(self.low):
            return np.full(len(given.low), -1)
        place = np.minimum(np.searchsorted(self.low, given.low), len(self.low) - 1)
        return np.where((self.low[place] == given.low) & (self.high[place] == given.high), place, -1)
    def measure(self, sizes):
        """Equal arguments count what the largest of them does; `sizes`: by element two lists, which it empties."""
        self.sizes = []
        for row in sizes:
            whole = np.concatenate([np.empty(0), *row])
            row.clear()
            self.sizes.append(np.maximum.reduceat(whole[self.order], self.starts) if len(whole) else whole)

def _raised(sizes):
    """A zero may be nothing but padding, no worse than what is beside it: it counts as the least of its channel, up to 1."""
    axes = tuple(i for i in range(1, sizes.ndim) if i != 2)
    least = np.where(sizes > 0, sizes, np.inf).min(axis=axes, keepdims=True, initial=np.inf)
    return np.where((sizes == 0) & np.isfinite(least), np.minimum(least, 1), sizes)

def _spread(sizes, shape):
    """Broadcast, in a row."""
    return np.broadcast_to(sizes.reshape(2, *(1,) * (len(shape) + 1 - sizes.ndim), *sizes.shape[1:]), (2, *shape)).reshape(2, -1)

class _Growth:
    """How much larger the second program's terms are, at worst."""
    def __init__(self):
        self.worst = 1.0
    def compare(self, what, theirs, mine):
        """Element by element. What floats do not hold in either program is held against the reals alone."""
        ratio = np.where(theirs <= mine, 1, theirs / mine)
        ratio[0] = np.where(np.isinf(theirs[0]), np.inf, ratio[0])
        self.worst = max(self.worst, grown := float(ratio.max(initial=1)))
        said = f"{what}: the second file's terms are {grown:.3g} times larger than the first's"
        refused_if(grown > _LARGEST_GROWTH, "conditioning", said)
    def of_programs(self, pair, note_first, note_second, between=lambda: None):
        outputs_a = pair.program_a.run(ring := Magnitudes(note_first), pair.leaf_in(ring))
        between()
        outputs_b = pair.program_b.run(ring := Magnitudes(note_second), pair.leaf_in(ring))
        for mine, theirs in zip(pair.program_a.outputs, pair.program_b.outputs):
            if isinstance(outputs_a[mine], Tensor) and isinstance(outputs_b[theirs], Tensor):
                self.compare(f"output {shown(mine)}", outputs_b[theirs].array[:2], _raised(outputs_a[mine].array[:2]))
        return self.worst

def check_conditioning(pair, second, arguments):
    """How much the terms grow; `second`: its residues, for what it applies functions to."""
    sizes, growth, applied = ([], []), _Growth(), iter(second.arguments)
    def note_first(given, shape):
        for row, found in zip(sizes, _spread(_raised(given), shape)):
            row.append(found.copy())
        return np.broadcast_to(1.0, (2, *shape))
    def note_second(given, shape):
        place = arguments.find(argument := next(applied))
        found = place >= 0
        largest = np.stack([row[place[found]] for row in arguments.sizes])
        growth.compare(f"an argument of {argument.of}", _spread(given, shape)[:, found], largest)
        return np.broadcast_to(np.where(found, 1.0, np.inf).reshape(shape), (2, *shape))
    return growth.of_programs(pair, note_first, note_second, lambda: arguments.measure(sizes))

def check_by_tensors(pair, first, second):
    """The same where whole tensors are known to be equal; `first`, `second`: what functions are applied to (`Numbering`)."""
    growth, sizes, here, there = _Growth(), {}, iter(first), iter(second)
    def unmoved(given, order):
        is_moved = order is not None and given.ndim == len(order) + 1
        return given.transpose(0, *(1 + i for i in np.argsort(order))) if is_moved else given
    def note_first(given, shape):
        applied = next(here)
        found = unmoved(_raised(given), applied.order)
        sizes[applied.key] = np.maximum(found, sizes.get(applied.key, found))
        return np.broadcast_to(1.0, (2, *shape))
    def note_second(given, shape):
        applied = next(there)
        if applied.key not in sizes:
            return np.broadcast_to(np.inf, (2, *shape))
        growth.compare(f"an argument of {applied.of}", unmoved(given, applied.order), sizes[applied.key])
        return np.broadcast_to(1.0, (2, *shape))
    return growth.of_programs(pair, note_first, note_second)
