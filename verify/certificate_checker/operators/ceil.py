"""Ceil."""
import numpy as np
from checker.functions import element_function
from checker.kinds_of_numbers import INFINITE
from operators.parts.pointwise import pointwise

element_function("ceil", lambda p, row, x: np.ceil(x), at_infinity=INFINITE)
pointwise("Ceil", "ceil")
