"""Reshape."""
import math
from checker.table import FLAG, operator
from checker.tensors import limited

@operator("Reshape", integers=1, attributes={"allowzero": FLAG}, moves=True)
def _reshape(call, ring, x):
    shape = call.integers(1, "shape")
    for i, extent in enumerate(shape):
        if extent == 0 and not call.get("allowzero", 0):
            call.fail_if(i >= len(x.shape), "a 0 beyond the operand's rank")
            shape[i] = x.shape[i]
    total, known = math.prod(x.shape), math.prod(n for n in shape if n != -1)
    if shape.count(-1) == 1 and known > 0 and total % known == 0:
        shape[shape.index(-1)] = total // known
    call.fail_if(min(shape, default=0) < 0 or math.prod(shape) != total, f"{list(x.shape)} does not become {shape}")
    return ring.reshape(x, limited(shape))
