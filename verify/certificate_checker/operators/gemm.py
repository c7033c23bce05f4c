"""Gemm."""
import math
from fractions import Fraction
from checker.table import INTEGER, REAL, operator

@operator("Gemm", tensors=(2, 3), attributes={"alpha": REAL, "beta": REAL, "transA": INTEGER, "transB": INTEGER})
def _gemm(call, ring, a, b, c=None):
    call.fail_if(len(a.shape) != 2 or len(b.shape) != 2, "the operands must be matrices")
    a = ring.transpose(a, (1, 0)) if call.get("transA", 0) else a
    b = ring.transpose(b, (1, 0)) if call.get("transB", 0) else b
    call.fail_if(a.shape[1] != b.shape[0], f"{list(a.shape)} and {list(b.shape)} do not fit")
    out = _scaled(call, ring, ring.matmul(a, b), "alpha")
    if c is None:
        return out
    call.fail_if(call.broadcast(c.shape, out.shape) != out.shape, f"{list(c.shape)} does not fit {list(out.shape)}")
    return ring.add(out, _scaled(call, ring, c, "beta"))

def _scaled(call, ring, x, name):
    factor = call.get(name, 1.0)
    call.opaque_if(not math.isfinite(factor) or (name, factor) == ("alpha", 0), f"{name} is {factor}")
    return x if factor == 1 else ring.scale(x, Fraction(factor))
