"""Cast: the integer towards 0, or whether it is not 0; of known integers whatever number it is."""
import numpy as np
from checker import tensors
from checker.functions import element_function
from checker.kinds_of_numbers import INFINITE
from checker.integers import integer_operator, result
from checker.table import INTEGER, TEXT, operator
from operators.parts.truth import INTEGERS, NUMBERS, truth_function

_FUNCTIONS = {"float": "as_float", "bool": "as_truth", **dict.fromkeys(INTEGERS, "as_integer")}
_ATTRIBUTES = {"to": INTEGER, "saturate": INTEGER, "round_mode": TEXT}
element_function("as_float", lambda p, row, x: np.asarray(x, dtype=np.float32).astype(np.float64), at_infinity=INFINITE)
element_function("as_integer", lambda p, row, x: np.trunc(x), is_total=False)  # what no integer is near becomes anything
truth_function("as_truth", lambda x: x != 0)

def _to(call):
    return tensors.TYPES.get(call.get("to"), ("nothing",))[0]

def _is_of_it(call):
    return _to(call) == call.type()

def _type(call):
    is_known = _is_of_it(call) or {_to(call), call.type()} <= {*NUMBERS}
    call.opaque_if(not is_known, "not defined from and to these types")
    return _to(call)

@operator("Cast", attributes=_ATTRIBUTES, moves=_is_of_it, element_type=_type)
def _cast(call, ring, x):
    return x if _is_of_it(call) else ring.apply(_FUNCTIONS[_to(call)], (float(call.get("to")),), [x])

@integer_operator("Cast", 1, tuple(_ATTRIBUTES))
def _cast_integers(call, x):
    values = x.elements.reshape(-1)
    return result(_to(call), values != 0 if _to(call) == "bool" else values, x.shape)
