"""Operators that apply one element function."""
import numpy as np
from checker.table import REAL, operator

def pointwise(name, function, tensors=(1, 1), since=1, **standard):
    """Of operands that broadcast, and of parameters that have a standard value."""
    @operator(name, tensors, attributes=dict.fromkeys(standard, REAL), since=since)
    def define(call, ring, *operands):
        call.broadcast(*(x.shape for x in operands))
        return ring.apply(function, tuple(call.get(k, float(np.float32(v))) for k, v in standard.items()), [*operands])
