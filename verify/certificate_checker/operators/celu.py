"""Celu."""
import numpy as np
from checker.functions import element_function
from checker.table import REAL, operator

element_function("celu", lambda p, row, x: np.maximum(x, 0) + np.minimum(p[0] * np.expm1(x / p[0]), 0))

@operator("Celu", attributes={"alpha": REAL}, since=12)
def _celu(call, ring, x):
    alpha = call.get("alpha", 1.0)
    call.opaque_if(alpha == 0, "alpha is 0, by which x is divided")
    return ring.apply("celu", (alpha,), [x])
