"""Operators that slide a window over the spatial axes: convolutions and pools."""
import functools
import math
from fractions import Fraction
import numpy as np
from ..rings.ring import Window, window_view
from ..tensors import limited
from .movement import padded
from .table import FLAG, INTEGER, INTEGERS, TEXT, operator

_MODES = ("NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER")
_SLIDING = {"auto_pad": TEXT, "kernel_shape": INTEGERS, "strides": INTEGERS, "dilations": INTEGERS, "pads": INTEGERS}
_LONGEST_POOL, _MOST_WINDOWS = 2**16, 2**20  # of a pool along one axis

class Axis:
    """The geometry along one spatial axis."""
    def __init__(self, extent, kernel, stride, dilation, before, after, output=0):
        self.extent, self.before, self.after = extent, before, after  # of the operand, and of its padding
        self.kernel, self.stride, self.dilation = kernel, stride, dilation
        self.reach, self.output = dilation * (kernel - 1) + 1, output

def _split(total, is_upper):
    """Of an odd total SAME_UPPER has more at the end."""
    return (total // 2, total - total // 2) if is_upper else (total - total // 2, total // 2)

def _unplaced(call, x, kernel):
    """The axes with the pads that are stated, and the padding mode."""
    rank, mode = len(kernel), call.get("auto_pad", "NOTSET")
    call.fail_if(rank == 0 or len(x.shape) != rank + 2, f"{list(x.shape)} does not fit a window of {rank} axes")
    call.fail_if(not all(1 <= k <= 2**31 for k in kernel), "an empty or enormous window")
    call.opaque_if(mode != "NOTSET" and call.get("pads"), "pads beside auto_pad")
    strides, dilations = (call.counts(name, rank, 1, 1) for name in ("strides", "dilations"))
    pads = call.counts("pads", 2 * rank, 0, 0) if mode == "NOTSET" else [0] * 2 * rank
    call.fail_if(mode not in _MODES, f"auto_pad has no mode {mode!r}")
    return [Axis(*of_axis) for of_axis in zip(x.shape[2:], kernel, strides, dilations, pads, pads[rank:])], mode

def _axes(call, x, kernel):
    """What windows there are, for convolutions and pools."""
    axes, mode = _unplaced(call, x, kernel)
    ceil = call.get("ceil_mode", 0)
    for axis in axes:
        if mode.startswith("SAME"):  # as many outputs as strides fit
            total = (-(-axis.extent // axis.stride) - 1) * axis.stride + axis.reach - axis.extent
            call.opaque_if(total < -1, "auto_pad with gaps between windows")
            axis.before, axis.after = _split(max(total, 0), mode == "SAME_UPPER")
        room = axis.extent + axis.before + axis.after - axis.reach
        call.opaque_if(room < 0, "the window is larger than the padded operand")
        axis.output = (room + (axis.stride - 1 if ceil else 0)) // axis.stride + 1
        if ceil and (axis.output - 1) * axis.stride >= axis.extent + axis.before:
            axis.output -= 1  # a window that would start in the padding at the end
    return axes

def _beyond(axis):
    """What the windows read behind the operand (with ceil_mode beyond the padding, too)."""
    return max(axis.after, (axis.output - 1) * axis.stride + axis.reach - axis.extent - axis.before)

def _spaced(ring, x, axes):
    return ring.pad(x, [0, 0, *(axis.before for axis in axes)], [0, 0, *(_beyond(axis) for axis in axes)])

def _check_kernel(call, x, w, b, groups, features):
    """What both kinds of convolution demand; `features`: of the result."""
    call.fail_if(len(x.shape) < 3 or len(w.shape) != len(x.shape), f"{list(x.shape)} and {list(w.shape)} do not fit")
    call.opaque_if(len(x.shape) > 5, "more than 3 spatial axes")
    call.fail_if(groups < 1 or w.shape[0] == 0 or w.shape[0] % groups, f"{list(w.shape)} does not fit {groups} groups")
    call.fail_if(list(call.get("kernel_shape") or w.shape[2:]) != list(w.shape[2:]), "another kernel_shape")
    call.fail_if(b is not None and b.shape != (features,), "the bias must have one element for each feature")

def _with_bias(ring, out, b):
    return out if b is None else ring.add(out, ring.reshape(b, (1, *b.shape) + (1,) * (len(out.shape) - 2)))

@operator("Conv", tensors=(2, 3), attributes={**_SLIDING, "group": INTEGER})
def _conv(call, ring, x, w, b=None):
    groups = call.get("group", 1)
    _check_kernel(call, x, w, b, groups, math.prod(w.shape[:1]))
    call.fail_if(x.shape[1] != w.shape[1] * groups, f"{list(x.shape)} and {list(w.shape)} do not fit {groups} groups")
    axes = _axes(call, x, list(w.shape[2:]))
    return _with_bias(ring, ring.convolve(_spaced(ring, x, axes), w, axes, groups), b)

@operator("ConvTranspose", tensors=(2, 3),
          attributes={**_SLIDING, "group": INTEGER, "output_padding": INTEGERS, "output_shape": INTEGERS})  # fmt: skip
def _conv_transpose(call, ring, x, w, b=None):
    """y[o] is the sum of x[i] w[k] over all i stride + k dilation = o + pad: a convolution, with the kernel turned
    around, of the operand with stride - 1 zeros behind each element."""
    groups = call.get("group", 1)
    features = math.prod(w.shape[1:2]) * groups
    _check_kernel(call, x, w, b, groups, features)
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
    return _with_bias(ring, ring.convolve(spread, turned, steps, groups), b)

def _transposed_axes(call, x, kernel):
    """The axes with what is cut off at both ends, and the zeros that are put behind each."""
    axes, mode = _unplaced(call, x, list(kernel))
    more, wanted = list(call.counts("output_padding", len(kernel), 0, 0)), call.get("output_shape")
    call.opaque_if(wanted and len(wanted) != len(kernel), "output_shape with batch and channels")
    for i, axis in enumerate(axes):
        natural = (axis.extent - 1) * axis.stride + axis.reach + more[i]
        call.opaque_if(axis.extent < 1, "an empty axis")
        if wanted or mode.startswith("SAME"):
            extent = wanted[i] if wanted else axis.extent * axis.stride
            is_open = extent < 1 or not wanted and extent > natural or mode == "VALID"
            call.opaque_if(is_open, f"auto_pad {mode} with {extent} positions")
            axis.before, axis.after = _split(max(natural - extent, 0), mode == "SAME_UPPER")
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

def _pool_axes(call, x):
    """Without SAME for dilated windows, which ONNX Runtime pads as if they were not, and pads that it does not load."""
    kernel = call.get("kernel_shape")
    call.fail_if(not kernel, "kernel_shape is missing")
    axes = _axes(call, x, kernel)
    is_open = call.get("auto_pad", "NOTSET").startswith("SAME") and any(axis.dilation != 1 for axis in axes)
    call.opaque_if(is_open, "auto_pad of dilated windows is ambiguous")
    call.opaque_if(any(max(axis.before, axis.after) >= axis.kernel for axis in axes), "pads as large as the window")
    limited([*x.shape[:2], *(axis.output * axis.kernel for axis in axes)])
    is_large = max(kernel) > _LONGEST_POOL or any(axis.output > _MOST_WINDOWS for axis in axes)
    call.fail_if(is_large, "more windows, or larger ones, than this program computes")
    return axes

@operator("AveragePool", attributes={**_SLIDING, "ceil_mode": FLAG, "count_include_pad": FLAG})
def _average_pool(call, ring, x):
    """A sum over each window, axis by axis, then the share of what counts in it, which runtimes take of the whole sum."""
    axes = _pool_axes(call, x)
    call.opaque_if(call.opset < 19 and any(axis.dilation != 1 for axis in axes), "dilations before operator set 19")
    out = _spaced(ring, x, axes)
    for i, axis in enumerate(axes):
        span = (axis.output - 1) * axis.stride + 1
        starts = range(0, axis.reach, axis.dilation)
        out = functools.reduce(ring.add, (ring.slice(out, {2 + i: slice(s, s + span, axis.stride)}) for s in starts))
    for i, axis in enumerate(axes):
        out = ring.scale(out, _shares(call, axis, len(axes) - i - 1))
    return out

def _shares(call, axis, axes_behind):
    low, high = (-axis.before, axis.extent + axis.after) if call.get("count_include_pad", 0) else (0, axis.extent)
    first = np.arange(axis.output) * axis.stride - axis.before
    inside = [np.clip(-((first - border) // axis.dilation), 0, axis.kernel) for border in (low, high)]
    taps = [int(n) for n in inside[1] - inside[0]]
    call.opaque_if(0 in taps, "the mean of a window that lies in the padding is no number")
    shares = [Fraction(1, n) for n in taps]
    if len(set(taps)) == 1:
        return shares[0]
    return np.array(shares, dtype=object).reshape(-1, *(1,) * axes_behind)

@operator("MaxPool", attributes={**_SLIDING, "ceil_mode": FLAG, "storage_order": INTEGER})
def _max_pool(call, ring, x):
    call.opaque_if(call.outputs > 1, "the result Indices is not interpreted")
    axes = _pool_axes(call, x)
    limited([*x.shape[:2], *(axis.extent + axis.before + _beyond(axis) for axis in axes)])
    widths = [(0, 0)] * 3 + [(axis.before, _beyond(axis)) for axis in axes]
    width = math.prod(axis.kernel for axis in axes)
    def arrange(array, hole):
        view = window_view(np.pad(array, widths, constant_values=hole), axes)
        return view.reshape(*view.shape[: 3 + len(axes)], width)
    limited([*x.shape[:2], *(a.output for a in axes), width])
    return ring.apply("largest", (), [], Window(x, arrange, [vars(axis) for axis in axes]))
