"""Tile."""
import numpy as np
from checker.table import operator
from checker.tensors import limited

@operator("Tile", integers=1, moves=True)
def _tile(call, ring, x):
    repeats = call.integers(1, "repeats")
    call.fail_if(len(repeats) != len(x.shape) or min(repeats, default=0) < 0, f"repeats {repeats[:8]}")
    limited([n * times for n, times in zip(x.shape, repeats)])
    for axis, times in enumerate(repeats):
        if times != 1:
            x = ring.take(x, np.tile(np.arange(x.shape[axis]), times), axis)
    return x
