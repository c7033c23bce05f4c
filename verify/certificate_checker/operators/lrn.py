"""LRN."""
import numpy as np
from checker.functions import element_function
from checker.rings.ring import Window
from checker.table import INTEGER, REAL, operator
from checker.tensors import limited

_LARGEST = 2**31

def _value(p, row):
    channels = np.where(np.isneginf(row), 0, row)  # without the holes
    return (p[2] + p[0] * (channels * channels).sum(axis=-1)) ** -p[1]

element_function("local_response", _value, is_total=False)

@operator("LRN", attributes={"alpha": REAL, "beta": REAL, "bias": REAL, "size": INTEGER})
def _lrn(call, ring, x):
    """Holes stand beside the first and the last channel."""
    size, alpha, beta = call.get("size"), call.get("alpha", float(np.float32(1e-4))), call.get("beta", 0.75)
    call.fail_if(size is None or len(x.shape) < 3, "no size, or no spatial axis")
    call.opaque_if(not (0 < size <= _LARGEST and size % 2 and alpha > 0 and beta > 0), "a form that runtimes refuse")
    reach = min(size // 2, x.shape[1])
    width = 2 * reach + 1
    limited([*x.shape, width])
    widths = [(0, 0), (0, 0), (reach, reach)] + [(0, 0)] * (len(x.shape) - 2)
    def arrange(array, hole):
        padded = np.pad(array, widths, constant_values=hole)
        return np.lib.stride_tricks.sliding_window_view(padded, width, axis=2)
    parameters = (alpha / size, beta, call.get("bias", 1.0))
    return ring.multiply(x, ring.apply("local_response", parameters, [], Window(x, arrange, ("channels", reach))))
