"""Windows that slide over the spatial axes, for convolutions and pools."""
from checker.table import INTEGERS, TEXT

_MODES = ("NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER")

SLIDING = {"auto_pad": TEXT, "kernel_shape": INTEGERS, "strides": INTEGERS, "dilations": INTEGERS, "pads": INTEGERS}

class Axis:
    """The geometry along one spatial axis."""
    def __init__(self, extent, kernel, stride, dilation, before, after, output=0):
        self.extent, self.before, self.after = extent, before, after  # of the operand, and of its padding
        self.kernel, self.stride, self.dilation = kernel, stride, dilation
        self.reach, self.output = dilation * (kernel - 1) + 1, output

def split_pads(total, is_upper):
    """Of an odd total SAME_UPPER has more at the end."""
    return (total // 2, total - total // 2) if is_upper else (total - total // 2, total // 2)

def unplaced(call, x, kernel):
    """The axes with the pads that are stated, and the padding mode."""
    rank, mode = len(kernel), call.get("auto_pad", "NOTSET")
    call.fail_if(rank == 0 or len(x.shape) != rank + 2, f"{list(x.shape)} does not fit a window of {rank} axes")
    call.fail_if(not all(1 <= k <= 2**31 for k in kernel), "an empty or enormous window")
    call.opaque_if(mode != "NOTSET" and call.get("pads"), "pads beside auto_pad")
    strides, dilations = (call.counts(name, rank, 1, 1) for name in ("strides", "dilations"))
    pads = call.counts("pads", 2 * rank, 0, 0) if mode == "NOTSET" else [0] * 2 * rank
    call.fail_if(mode not in _MODES, f"auto_pad has no mode {mode!r}")
    return [Axis(*of_axis) for of_axis in zip(x.shape[2:], kernel, strides, dilations, pads, pads[rank:])], mode

def axes_of(call, x, kernel):
    """What windows there are, for convolutions and pools."""
    axes, mode = unplaced(call, x, kernel)
    ceil = call.get("ceil_mode", 0)
    for axis in axes:
        if mode.startswith("SAME"):  # as many outputs as strides fit
            total = (-(-axis.extent // axis.stride) - 1) * axis.stride + axis.reach - axis.extent
            call.opaque_if(total < -1, "auto_pad with gaps between windows")
            axis.before, axis.after = split_pads(max(total, 0), mode == "SAME_UPPER")
        room = axis.extent + axis.before + axis.after - axis.reach
        call.opaque_if(room < 0, "the window is larger than the padded operand")
        axis.output = (room + (axis.stride - 1 if ceil else 0)) // axis.stride + 1
        if ceil and (axis.output - 1) * axis.stride >= axis.extent + axis.before:
            axis.output -= 1  # a window that would start in the padding at the end
    return axes

def beyond(axis):
    """What the windows read behind the operand (with ceil_mode beyond the padding, too)."""
    return max(axis.after, (axis.output - 1) * axis.stride + axis.reach - axis.extent - axis.before)

def spaced(ring, x, axes):
    return ring.pad(x, [0, 0, *(axis.before for axis in axes)], [0, 0, *(beyond(axis) for axis in axes)])
