"""MatMul."""
from checker.table import operator

@operator("MatMul", tensors=(2, 2))
def _mat_mul(call, ring, a, b):
    """An operand of one axis is a row on the left and a column on the right."""
    is_row, is_column = len(a.shape) == 1, len(b.shape) == 1
    fits = a.shape and b.shape and a.shape[-1] == b.shape[0 if is_column else -2]
    call.fail_if(not fits, f"{list(a.shape)} and {list(b.shape)} do not fit")
    a = ring.reshape(a, (1, *a.shape)) if is_row else a
    b = ring.reshape(b, (*b.shape, 1)) if is_column else b
    shape = (*call.broadcast(a.shape[:-2], b.shape[:-2]), *([] if is_row else a.shape[-2:-1]),
             *([] if is_column else b.shape[-1:]))  # fmt: skip
    return ring.reshape(ring.matmul(a, b), shape)
