"""Trilu."""
import numpy as np
from checker.table import FLAG, operator

@operator("Trilu", integers=1, attributes={"upper": FLAG}, moves=True, since=14)
def _trilu(call, ring, x):
    """Above or below a diagonal, that among them."""
    call.fail_if(len(x.shape) < 2, "no matrix")
    k, upper = call.integer(1, "k") if call.has(1) else 0, call.get("upper", 1)
    call.opaque_if(abs(k) > 2**40, "no such diagonal")
    away = np.arange(x.shape[-1]) - np.arange(x.shape[-2])[:, None]
    stays = away >= k if upper else away <= k
    return ring.move(x, lambda a: np.where(stays, a, a.dtype.type(0)), "triangle", k, upper)
