"""Dropout at inference."""
from checker.table import INTEGER, REAL, operator

@operator("Dropout", tensors=(1, 3), attributes={"ratio": REAL, "seed": INTEGER}, moves=True)
def _dropout(call, ring, x, *_):
    """The operand itself. The second operand is a ratio, the third would say whether this is training."""
    call.opaque_if(call.has(2), "the training form is not interpreted")
    call.opaque_if(call.get("ratio" if call.opset >= 12 else "seed") is not None, "not in this operator set")
    call.opaque_if(call.outputs > 1, "the mask is not interpreted")
    return x
