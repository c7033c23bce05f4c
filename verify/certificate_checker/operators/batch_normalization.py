"""BatchNormalization, with stored statistics."""
import numpy as np
from checker.functions import element_function
from checker.rings.enclosures import exactly, plus
from checker.table import INTEGER, REAL, operator
from operators.parts.enclosed import inverse_root
from operators.parts.rows import EPSILON

element_function("inverse_deviation", lambda p, row, v: 1 / np.sqrt(v + p[0]), is_total=False,
                 enclosed=lambda p, v: inverse_root(plus(v, exactly(p[0]))))  # fmt: skip

@operator("BatchNormalization", tensors=(5, 5),
          attributes={"epsilon": REAL, "momentum": REAL, "training_mode": INTEGER})  # fmt: skip
def _batch_normalization(call, ring, x, scale, bias, mean, variance):
    call.opaque_if(call.outputs > 1 or call.get("training_mode", 0), "the training form is not interpreted")
    channels = x.shape[1:2]
    fits = channels and all(v.shape == channels for v in (scale, bias, mean, variance))
    call.fail_if(not fits, "the operands do not have one element for each channel")
    inverse = ring.apply("inverse_deviation", (call.get("epsilon", EPSILON),), [variance])
    factor = ring.multiply(scale, inverse)
    shift = ring.subtract(bias, ring.multiply(mean, factor))
    shape = (channels[0],) + (1,) * (len(x.shape) - 2)
    return ring.add(ring.multiply(x, ring.reshape(factor, shape)), ring.reshape(shift, shape))
