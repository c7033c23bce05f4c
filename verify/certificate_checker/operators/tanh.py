"""Tanh."""
import numpy as np
from checker.functions import element_function
from checker.kinds_of_numbers import FINITE
from operators.parts.pointwise import pointwise

element_function("tanh", lambda p, row, x: np.tanh(x), at_infinity=FINITE)
pointwise("Tanh", "tanh")
