"""Clip."""
import math
import numpy as np
from checker.functions import LARGEST, element_function
from checker.table import operator

element_function("clip", lambda p, row, x, low, high: np.minimum(np.maximum(x, low), high))

@operator("Clip", tensors=(1, 3))
def _clip(call, ring, x, low=None, high=None):
    limits = []
    for limit, standard in ((low, -LARGEST), (high, LARGEST)):
        limit = ring.number(standard) if limit is None else limit
        call.fail_if(len(limit.shape) > 1 or math.prod(limit.shape) != 1, "a limit must be a single number")
        limits.append(ring.reshape(limit, ()))
    return ring.apply("clip", (), [x, *limits])
