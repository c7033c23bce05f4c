"""Gelu."""
import math
import numpy as np
from checker.functions import element_function
from checker.table import TEXT, operator
from operators.erf import erf_of

def _value(p, row, x):
    if p[0] == 0:
        return x / 2 * (1 + erf_of(x / math.sqrt(2)))
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))

element_function("gelu", _value)

@operator("Gelu", attributes={"approximate": TEXT}, since=20)
def _gelu(call, ring, x):
    approximate = call.get("approximate", "none")
    call.opaque_if(approximate not in ("none", "tanh"), "approximate is neither none nor tanh")
    return ring.apply("gelu", (1.0 if approximate == "tanh" else 0.0,), [x])
