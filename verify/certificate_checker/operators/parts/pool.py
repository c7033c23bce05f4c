"""The windows of a pool."""
from checker.tensors import limited
from operators.parts.sliding import axes_of

_LONGEST_POOL, _MOST_WINDOWS = 2**16, 2**20  # of a pool along one axis

def pool_axes(call, x):
    """Without SAME for dilated windows, which ONNX Runtime pads as if they were not, and pads that it does not load."""
    kernel = call.get("kernel_shape")
    call.fail_if(not kernel, "kernel_shape is missing")
    axes = axes_of(call, x, kernel)
    is_open = call.get("auto_pad", "NOTSET").startswith("SAME") and any(axis.dilation != 1 for axis in axes)
    call.opaque_if(is_open, "auto_pad of dilated windows is ambiguous")
    call.opaque_if(any(max(axis.before, axis.after) >= axis.kernel for axis in axes), "pads as large as the window")
    limited([*x.shape[:2], *(axis.output * axis.kernel for axis in axes)])
    is_large = max(kernel) > _LONGEST_POOL or any(axis.output > _MOST_WINDOWS for axis in axes)
    call.fail_if(is_large, "more windows, or larger ones, than this program computes")
    return axes
