"""Conv."""
import math
from checker.table import INTEGER, operator
from operators.parts.convolution import check_kernel, with_bias
from operators.parts.sliding import SLIDING, axes_of, spaced

@operator("Conv", tensors=(2, 3), attributes={**SLIDING, "group": INTEGER})
def _conv(call, ring, x, w, b=None):
    groups = call.get("group", 1)
    check_kernel(call, x, w, b, groups, math.prod(w.shape[:1]))
    call.fail_if(x.shape[1] != w.shape[1] * groups, f"{list(x.shape)} and {list(w.shape)} do not fit {groups} groups")
    axes = axes_of(call, x, list(w.shape[2:]))
    return with_bias(ring, ring.convolve(spaced(ring, x, axes), w, axes, groups), b)
