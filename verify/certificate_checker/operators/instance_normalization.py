"""InstanceNormalization."""
from checker.table import REAL, operator
from operators.parts.normalized import by_channel, normalized
from operators.parts.rows import EPSILON, row_window

@operator("InstanceNormalization", tensors=(3, 3), attributes={"epsilon": REAL})
def _instance_normalization(call, ring, x, scale, bias):
    call.fail_if(len(x.shape) < 3, "no spatial axis")
    rows = row_window(x, list(range(2, len(x.shape))))
    return by_channel(call, ring, x, normalized(ring, x, rows, call.get("epsilon", EPSILON)), scale, bias)
