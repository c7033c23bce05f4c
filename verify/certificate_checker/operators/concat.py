"""Concat."""
from checker.table import INTEGER, operator

@operator("Concat", tensors=(1, 2**31), attributes={"axis": INTEGER}, moves=True)
def _concat(call, ring, *parts):
    call.fail_if("axis" not in call.attributes, "axis is missing")
    axis = call.axis(call.get("axis"))
    rests = {(len(p.shape), p.shape[:axis] + p.shape[axis + 1 :]) for p in parts}
    call.fail_if(len(rests) > 1, "the operands do not fit")
    return ring.concat(parts, axis)
