"""Squeeze."""
from checker.table import INTEGERS, operator

@operator("Squeeze", integers=1, attributes={"axes": INTEGERS}, moves=True)
def _squeeze(call, ring, x):
    given = call.list_by_opset("axes", 1, 13)
    call.opaque_if(given == [], "an empty list of axes is read in two ways")
    axes = call.axes(given or [i for i, n in enumerate(x.shape) if n == 1])
    call.fail_if(any(x.shape[i] != 1 for i in axes), f"an axis of {list(x.shape)} is not of extent 1")
    return ring.reshape(x, [n for i, n in enumerate(x.shape) if i not in axes])
