"""Where."""
import numpy as np
from checker.functions import element_function
from checker.kinds_of_numbers import INFINITE
from checker.table import operator
from operators.parts.truth import NUMBERS

element_function("where", lambda p, row, c, a, b: np.where(c != 0, a, b), of_integers=True, at_infinity=INFINITE)

def _type(call):
    is_choice = call.type(0) == "bool" and call.type(1) == call.type(2) and call.type(1) in NUMBERS
    call.opaque_if(not is_choice, "not defined for operands of these types")
    return call.type(1)

@operator("Where", (3, 3), since=9, element_type=_type)
def _where(call, ring, condition, a, b):
    """A function of three elements: what is not chosen may be infinite."""
    call.broadcast(condition.shape, a.shape, b.shape)
    return ring.apply("where", (), [condition, a, b])
