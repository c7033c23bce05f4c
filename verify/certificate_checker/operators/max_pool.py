"""MaxPool."""
import math
import numpy as np
from checker.functions import LARGEST, element_function
from checker.kinds_of_numbers import INFINITE
from checker.rings.ring import Window, window_view
from checker.table import FLAG, INTEGER, operator
from checker.tensors import limited
from operators.parts.pool import pool_axes
from operators.parts.sliding import SLIDING, beyond

element_function("largest", lambda p, row: np.maximum(row.max(axis=-1, initial=-np.inf), -LARGEST), at_infinity=INFINITE)

@operator("MaxPool", attributes={**SLIDING, "ceil_mode": FLAG, "storage_order": INTEGER})
def _max_pool(call, ring, x):
    call.opaque_if(call.outputs > 1, "the result Indices is not interpreted")
    axes = pool_axes(call, x)
    limited([*x.shape[:2], *(axis.extent + axis.before + beyond(axis) for axis in axes)])
    widths = [(0, 0)] * 3 + [(axis.before, beyond(axis)) for axis in axes]
    width = math.prod(axis.kernel for axis in axes)
    def arrange(array, hole):
        view = window_view(np.pad(array, widths, constant_values=hole), axes)
        return view.reshape(*view.shape[: 3 + len(axes)], width)
    limited([*x.shape[:2], *(a.output for a in axes), width])
    return ring.apply("largest", (), [], Window(x, arrange, [vars(axis) for axis in axes]))
