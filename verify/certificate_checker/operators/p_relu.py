"""PRelu."""
import numpy as np
from checker.functions import element_function
from checker.table import operator

element_function("p_relu", lambda p, row, x, slope: np.where(x < 0, slope * x, x))

@operator("PRelu", tensors=(2, 2))
def _p_relu(call, ring, x, slope):
    call.fail_if(call.broadcast(x.shape, slope.shape) != tuple(x.shape), "the slope does not broadcast to the operand")
    return ring.apply("p_relu", (), [x, slope])
