"""Swish."""
import numpy as np
from checker.functions import element_function
from checker.table import REAL, operator

element_function("sigmoid_of_multiple", lambda p, row, x: 1 / (1 + np.exp(-p[0] * x)))

@operator("Swish", attributes={"alpha": REAL}, since=24)
def _swish(call, ring, x):
    alpha = call.get("alpha", 1.0)
    gate = ring.apply("sigmoid", (), [x]) if alpha == 1 else ring.apply("sigmoid_of_multiple", (alpha,), [x])
    return ring.multiply(x, gate)
