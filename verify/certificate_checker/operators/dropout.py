"""Dropout at inference."""
from checker.table import INTEGER, REAL, operator

@operator("Dropout", tensors=(1, 2), attributes={"ratio": REAL, "seed": INTEGER}, moves=True)
def _dropout(call, ring, x, ratio=None):
    """The operand itself; a third operand would say whether this is training."""
    call.opaque_if(call.outputs > 1, "the mask is not interpreted")
    return x
