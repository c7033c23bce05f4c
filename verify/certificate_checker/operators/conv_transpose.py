"""ConvTranspose."""
import math
from checker.table import INTEGER, INTEGERS, operator
from operators.parts.convolution import check_kernel, with_bias
from operators.parts.padded import padded
from operators.parts.sliding import Axis, SLIDING, split_pads, unplaced

@operator("ConvTranspose", tensors=(2, 3),
          attributes={**SLIDING, "group": INTEGER, "output_padding": INTEGERS, "output_shape": INTEGERS})  # fmt: skip
def _conv_transpose(call, ring, x, w, b=None):
    """y[o] is the sum of x[i] w[k] over all i stride + k dilation = o + pad: a convolution, with the kernel turned
    around, of the operand with stride - 1 zeros behind each element."""
    groups = call.get("group", 1)
    features = math.prod(w.shape[1:2]) * groups
    check_kernel(call, x, w, b, groups, features)
    call.fail_if(x.shape[1] != w.shape[0] or features < 1, f"{list(x.shape)} and {list(w.shape)} do not fit")
    kernel, (n, channels) = w.shape[2:], x.shape[:2]
    axes, more = _transposed_axes(call, x, kernel)
    spread = ring.reshape(x, [n, channels, *(m for axis in axes for m in (axis.extent, 1))])
    spread = ring.pad(spread, [0] * len(spread.shape), [0, 0, *(m for axis in axes for m in (0, axis.stride - 1))])
    spread = ring.reshape(spread, [n, channels, *(axis.extent * axis.stride for axis in axes)])
    spread = ring.pad(spread, [0] * len(x.shape), [0, 0, *more])
    before = [axis.reach - 1 - axis.before for axis in axes]
    after = [axis.reach - axis.stride - axis.after for axis in axes]
    spread = padded(call, ring, spread, [0, 0, *before], [0, 0, *after])
    turned = ring.slice(w, {i: slice(None, None, -1) for i in range(2, len(w.shape))})
    turned = ring.reshape(turned, (groups, channels // groups, features // groups, *kernel))
    turned = ring.transpose(turned, (0, 2, 1, *range(3, len(turned.shape))))
    turned = ring.reshape(turned, (features, channels // groups, *kernel))
    steps = [Axis(axis.extent, axis.kernel, 1, axis.dilation, 0, 0, axis.output) for axis in axes]
    return with_bias(ring, ring.convolve(spread, turned, steps, groups), b)

def _transposed_axes(call, x, kernel):
    """The axes with what is cut off at both ends, and the zeros that are put behind each."""
    axes, mode = unplaced(call, x, list(kernel))
    more, wanted = list(call.counts("output_padding", len(kernel), 0, 0)), call.get("output_shape")
    call.opaque_if(wanted and len(wanted) != len(kernel), "output_shape with batch and channels")
    for i, axis in enumerate(axes):
        natural = (axis.extent - 1) * axis.stride + axis.reach + more[i]
        call.opaque_if(axis.extent < 1, "an empty axis")
        if wanted or mode.startswith("SAME"):
            extent = wanted[i] if wanted else axis.extent * axis.stride
            is_open = extent < 1 or not wanted and extent > natural or mode == "VALID"
            call.opaque_if(is_open, f"auto_pad {mode} with {extent} positions")
            axis.before, axis.after = split_pads(max(natural - extent, 0), mode == "SAME_UPPER")
            more[i] += max(extent - natural, 0)
        axis.output = (axis.extent - 1) * axis.stride + axis.reach + more[i] - axis.before - axis.after
        is_open = axis.output < 1 or more[i] >= axis.stride
        call.opaque_if(is_open, "nothing is left of an axis, or output_padding exceeds a stride")
    call.limit_pieces(map(_phases, axes))
    return axes, more

def _phases(axis):
    """How many kinds of positions there are in the result: each is reached by other taps."""
    is_plain = axis.dilation == 1 and axis.before % axis.stride == 0
    return 1 if is_plain else min(axis.kernel, axis.stride // math.gcd(axis.stride, axis.dilation))
