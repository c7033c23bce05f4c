"""Flatten."""
import math
from checker.table import INTEGER, operator

@operator("Flatten", attributes={"axis": INTEGER}, moves=True)
def _flatten(call, ring, x):
    rank, axis = len(x.shape), call.get("axis", 1)
    call.fail_if(not -rank <= axis <= rank, f"no border {axis} in rank {rank}")
    return ring.reshape(x, (math.prod(x.shape[:axis]), math.prod(x.shape[axis:])))
