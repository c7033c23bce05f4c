"""GlobalMaxPool."""
from checker.table import operator
from operators.parts.reduction import extreme_over

@operator("GlobalMaxPool", moves=lambda call: all(n == 1 for n in call.shape()[2:]))
def _global_max_pool(call, ring, x):
    call.fail_if(len(x.shape) < 3, "no spatial axis")
    return extreme_over(call, ring, x, list(range(2, len(x.shape))), "largest")
