"""Transpose."""
from checker.table import INTEGERS, operator

@operator("Transpose", attributes={"perm": INTEGERS}, moves=True)
def _transpose(call, ring, x):
    order = call.get("perm", range(len(x.shape))[::-1])
    call.opaque_if(min(order, default=0) < 0, "perm counts from the end")
    call.fail_if(len(call.axes(order)) != len(x.shape), f"perm is no order of {len(x.shape)} axes")
    return ring.transpose(x, order)
