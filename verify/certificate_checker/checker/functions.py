"""Element functions: what they yield, whether they are defined everywhere, whether what they yield is bounded whatever they
are applied to, be it infinite, and whether they are known of integers, too. Operators define them."""
from typing import Callable, NamedTuple
import numpy as np

LARGEST = float(np.finfo(np.float32).max)
_TABLE = {}

class Function(NamedTuple):
    """`value(parameters, row, *elements)` in doubles; a row has one axis more, the window's."""
    value: Callable
    is_total: bool
    is_bounded: bool
    of_integers: bool

def element_function(name, value, is_total=True, is_bounded=False, of_integers=False):
    _TABLE[name] = Function(value, is_total, is_bounded, of_integers)

of = _TABLE.__getitem__
