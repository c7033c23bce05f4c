"""Element functions: what they yield, and whether they are defined everywhere. Operators define them."""
from typing import Callable, NamedTuple
import numpy as np

LARGEST = float(np.finfo(np.float32).max)
_TABLE = {}

class Function(NamedTuple):
    """`value(parameters, row, *elements)` in doubles; a row has one axis more, the window's."""
    value: Callable
    is_total: bool

def element_function(name, value, is_total=True):
    _TABLE[name] = Function(value, is_total)

of = _TABLE.__getitem__
