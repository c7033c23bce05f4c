"""Equal of known integers."""
import numpy as np
from checker.integers import broadcast, integer_operator

@integer_operator("Equal", 2)
def _equal(call, a, b):
    call.opaque_if(a.type != b.type, "values of different types")
    return broadcast(call, "bool", np.equal, a, b)
