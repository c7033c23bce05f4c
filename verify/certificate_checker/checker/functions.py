"""Element functions: what they yield, whether they are defined everywhere, what they make of infinite arguments, and whether
they are known of integers, and of enclosed constants, too. Operators define them."""
from typing import Callable, NamedTuple
import numpy as np
from .kinds_of_numbers import NO_NUMBER

LARGEST = float(np.finfo(np.float32).max)
_TABLE = {}

class Function(NamedTuple):
    """`value(parameters, row, *elements)` in doubles; a row has one axis more, the window's. `enclosed(parameters, x)` of one
    number (`rings/enclosures`)."""
    value: Callable
    is_total: bool
    at_infinity: int
    of_integers: bool
    enclosed: Callable | None

def element_function(name, value, is_total=True, at_infinity=NO_NUMBER, of_integers=False, enclosed=None):
    _TABLE[name] = Function(value, is_total, at_infinity, of_integers, enclosed)

of = _TABLE.__getitem__
