"""Pad."""
import math
import numpy as np
from checker.table import INTEGERS, REAL, TEXT, operator
from checker.tensors import limited
from operators.parts.padded import padded

# By mode: where a position outside reads, and how far outside.
_BORDERS = {
    "edge": (lambda at, extent: np.clip(at, 0, extent - 1), lambda extent: math.inf if extent else 0),
    "reflect": (lambda at, extent: (extent - 1) - abs((extent - 1) - abs(at)), lambda extent: max(0, extent - 1)),
    "wrap": (lambda at, extent: at % extent, lambda extent: extent),
}

def _is_zero(call):
    if call.opset < 11:
        return str(call.get("value", 0.0)) == "0.0"  # -0 is another fill
    return not call.has(2) or call.operands[2].is_zero and call.operands[2].type == call.operands[0].type

@operator("Pad", integers=3, attributes={"mode": TEXT, "pads": INTEGERS, "value": REAL}, moves=True)
def _pad(call, ring, x):
    mode, rank = call.get("mode", "constant"), len(x.shape)
    call.fail_if(mode != "constant" and mode not in _BORDERS, f"no mode {mode!r}")
    call.opaque_if(mode == "wrap" and call.opset < 19, "mode wrap before operator set 19")
    call.fail_if(call.opset >= 11 and "value" in call.attributes, "the value is an operand from operator set 11 on")
    call.fail_if(call.opset < 11 and len(call.operands) > 1, "pads are an attribute before operator set 11")
    call.opaque_if(mode == "constant" and not _is_zero(call), "fills with something else than a constant 0")
    pads, axes = call.list_by_opset("pads", 1, 11), list(range(rank))
    call.fail_if(pads is None, "no pads")
    if call.has(3):
        call.opaque_if(call.opset < 18, "axes before operator set 18")
        axes = call.axes(call.integers(3, "axes"))
    call.fail_if(len(pads) != 2 * len(axes), f"{len(pads)} pads for {len(axes)} axes")
    before, after = [0] * rank, [0] * rank
    for i, axis in enumerate(axes):
        before[axis], after[axis] = pads[i], pads[len(axes) + i]
    if mode == "constant":
        return padded(call, ring, x, before, after)
    place, reach = _BORDERS[mode]
    is_far = any(min(b, a) < 0 or max(b, a) > reach(n) for b, a, n in zip(before, after, x.shape))
    call.opaque_if(is_far, f"these pads in mode {mode}")
    if mode != "wrap":
        call.limit_pieces(1 + (b > 0) + (a > 0) for b, a in zip(before, after))
    limited([b + n + a for b, n, a in zip(before, x.shape, after)])
    for axis, extent in enumerate(x.shape):
        if before[axis] or after[axis]:
            x = ring.take(x, place(np.arange(-before[axis], extent + after[axis]), extent), axis)
    return x
