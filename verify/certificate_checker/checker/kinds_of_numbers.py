"""What a value may hold by constants of a file, the worst last."""
import numpy as np

FINITE, INFINITE, NO_NUMBER = range(3)
_BITS = {"float16": (0x7C00, 0x03FF), "bfloat16": (0x7F80, 0x007F)}  # exponent and fraction

def kinds_in(type_name, elements):
    """Of stored elements: where the exponent is the largest, a fraction makes it no number."""
    if type_name in _BITS:
        exponent, fraction = _BITS[type_name]
        is_beyond = elements & exponent == exponent
        is_none = is_beyond & (elements & fraction != 0)
    elif type_name in ("float", "double"):
        is_beyond, is_none = ~np.isfinite(elements), np.isnan(elements)
    else:
        return FINITE
    return NO_NUMBER if is_none.any() else INFINITE if is_beyond.any() else FINITE
