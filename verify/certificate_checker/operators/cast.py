"""Cast of known integers."""
from checker.integers import integer_operator, result
from checker.tensors import NUMBERS

@integer_operator("Cast", 1, ("to", "saturate", "round_mode"))
def _cast(call, x):
    to = {number: name for name, number in NUMBERS.items()}.get(call.get("to"), "nothing")
    values = x.elements.reshape(-1)
    return result(to, values != 0 if to == "bool" else values, x.shape)
