"""Where of known integers."""
import numpy as np
from checker.integers import broadcast, integer_operator

@integer_operator("Where", 3)
def _where(call, condition, a, b):
    call.opaque_if(condition.type != "bool" or a.type != b.type, "values of different types, or another condition")
    return broadcast(call, a.type, lambda c, x, y: np.where(c != 0, x, y), condition, a, b)
