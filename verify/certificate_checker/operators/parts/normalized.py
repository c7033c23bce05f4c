"""Rows shifted to mean 0 and scaled to variance 1."""
from checker.functions import element_function
from operators.parts.rows import row_deviation

element_function("normalized", lambda p, row, x: (x - row.mean(axis=-1)) * row_deviation(p, row), is_total=False)

def normalized(ring, x, rows, epsilon):
    return ring.apply("normalized", (epsilon,), [x], rows)

def by_channel(call, ring, x, out, scale, bias):
    """Scaled and shifted by channel."""
    fits = len(x.shape) > 1 and scale.shape == bias.shape == x.shape[1:2]
    call.fail_if(not fits, "the operands do not have one element for each channel")
    scale, bias = (ring.reshape(v, (*v.shape, *(1,) * (len(x.shape) - 2))) for v in (scale, bias))
    return ring.add(ring.multiply(out, scale), bias)

def check_stash_type(call):
    call.opaque_if(call.get("stash_type", 1) != 1, "stash_type is not float")
