"""AveragePool."""
import functools
from fractions import Fraction
import numpy as np
from checker.table import FLAG, operator
from operators.parts.pool import pool_axes
from operators.parts.sliding import SLIDING, spaced

@operator("AveragePool", attributes={**SLIDING, "ceil_mode": FLAG, "count_include_pad": FLAG})
def _average_pool(call, ring, x):
    """A sum over each window, axis by axis, then the share of what counts in it, which runtimes take of the whole sum."""
    axes = pool_axes(call, x)
    call.opaque_if(call.opset < 19 and any(axis.dilation != 1 for axis in axes), "dilations before operator set 19")
    out = spaced(ring, x, axes)
    for i, axis in enumerate(axes):
        span = (axis.output - 1) * axis.stride + 1
        starts = range(0, axis.reach, axis.dilation)
        out = functools.reduce(ring.add, (ring.slice(out, {2 + i: slice(s, s + span, axis.stride)}) for s in starts))
    for i, axis in enumerate(axes):
        out = ring.scale(out, _shares(call, axis, len(axes) - i - 1))
    return out

def _shares(call, axis, axes_behind):
    low, high = (-axis.before, axis.extent + axis.after) if call.get("count_include_pad", 0) else (0, axis.extent)
    first = np.arange(axis.output) * axis.stride - axis.before
    inside = [np.clip(-((first - border) // axis.dilation), 0, axis.kernel) for border in (low, high)]
    taps = [int(n) for n in inside[1] - inside[0]]
    call.opaque_if(0 in taps, "the mean of a window that lies in the padding is no number")
    shares = [Fraction(1, n) for n in taps]
    if len(set(taps)) == 1:
        return shares[0]
    return np.array(shares, dtype=object).reshape(-1, *(1,) * axes_behind)
