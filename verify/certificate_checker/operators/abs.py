"""Abs."""
import numpy as np
from checker.functions import element_function
from checker.kinds_of_numbers import INFINITE
from operators.parts.pointwise import pointwise

element_function("abs", lambda p, row, x: np.abs(x), at_infinity=INFINITE)
pointwise("Abs", "abs")
