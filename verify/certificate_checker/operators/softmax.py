"""Softmax."""
import numpy as np
from checker.functions import element_function
from checker.table import INTEGER, operator
from operators.parts.rows import row_window

def _value(p, row, x):
    top = row.max(axis=-1, initial=-np.inf)
    return np.exp(x - top) / np.exp(row - top[..., None]).sum(axis=-1)

element_function("softmax", _value)

@operator("Softmax", attributes={"axis": INTEGER})
def _softmax(call, ring, x):
    """A row is one axis; before operator set 13 all axes from one on."""
    axis = call.axis(call.get("axis", 1 if call.opset < 13 else -1))
    return ring.apply("softmax", (), [x], row_window(x, [axis] if call.opset >= 13 else list(range(axis, len(x.shape)))))
