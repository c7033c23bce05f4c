"""Clip."""
import math
import numpy as np
from checker.functions import LARGEST, element_function
from checker.kinds_of_numbers import INFINITE
from checker.table import REAL, operator

element_function("clip", lambda p, row, x, low, high: np.minimum(np.maximum(x, low), high), at_infinity=INFINITE)

@operator("Clip", tensors=(1, 3), attributes={"min": REAL, "max": REAL})
def _clip(call, ring, x, low=None, high=None):
    """Limits are operands from operator set 11 on, attributes before."""
    call.fail_if(bool(call.attributes) if call.opset >= 11 else len(call.operands) > 1, "limits of another operator set")
    limits = []
    if call.opset < 11:
        low, high = (ring.number(call.get(name)) if name in call.attributes else None for name in ("min", "max"))
    for limit, standard in ((low, -LARGEST), (high, LARGEST)):
        limit = ring.number(standard) if limit is None else limit
        call.fail_if(len(limit.shape) > 1 or math.prod(limit.shape) != 1, "a limit must be a single number")
        limits.append(ring.reshape(limit, ()))
    return ring.apply("clip", (), [x, *limits])
