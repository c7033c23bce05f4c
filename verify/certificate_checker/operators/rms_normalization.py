"""RMSNormalization."""
import numpy as np
from checker.functions import element_function
from checker.table import INTEGER, REAL, operator
from operators.parts.normalized import check_stash_type
from operators.parts.rows import EPSILON, row_window

def _value(p, row, x):
    return x / np.sqrt((row * row).mean(axis=-1) + p[0])

element_function("rms_normalized", _value, is_total=False)

@operator("RMSNormalization", tensors=(2, 2), since=23,
          attributes={"axis": INTEGER, "epsilon": REAL, "stash_type": INTEGER})  # fmt: skip
def _rms_normalization(call, ring, x, scale):
    check_stash_type(call)
    axes = list(range(call.axis(call.get("axis", -1)), len(x.shape)))
    call.fail_if(call.broadcast(scale.shape, x.shape) != tuple(x.shape), "the scale does not broadcast to the operand")
    return ring.multiply(ring.apply("rms_normalized", (call.get("epsilon", EPSILON),), [x], row_window(x, axes)), scale)
