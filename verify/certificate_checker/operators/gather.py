"""Gather."""
import numpy as np
from checker.table import INTEGER, operator

@operator("Gather", integers=1, attributes={"axis": INTEGER}, moves=True)
def _gather(call, ring, x):
    """At known positions; in few pieces, unless integers are gathered for shapes."""
    axis = call.axis(call.get("axis", 0))
    extent, positions = x.shape[axis], call.known(1, "indices").astype(np.int64)
    is_outside = (positions < -extent).any() or (positions >= extent).any()
    call.opaque_if(is_outside, f"positions outside {extent} elements: fails wherever it runs")
    positions = np.where(positions < 0, positions + extent, positions)
    if not call.operands[0].is_known:
        call.limit_pieces([_pieces(positions)])
    return ring.take(x, positions, axis)

def _pieces(positions):
    """How many runs a table of positions is cut into, axis by axis from the first on: in a run every slab follows the
    one before it by the same step everywhere."""
    if positions.ndim == 0 or positions.size == 0:
        return min(positions.size, 1)
    steps = np.diff(positions.reshape(len(positions), -1), axis=0)
    is_even = (steps == steps[:, :1]).all(axis=1)
    number, low = 0, 0
    while low < len(positions):
        number += _pieces(positions[low])
        first = low
        while low < len(steps) and is_even[low] and steps[low, 0] == steps[first, 0]:
            low += 1
        low += 1
    return number
