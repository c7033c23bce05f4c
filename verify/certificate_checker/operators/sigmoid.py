"""Sigmoid."""
import numpy as np
from checker.functions import element_function
from checker.kinds_of_numbers import FINITE
from operators.parts.pointwise import pointwise

element_function("sigmoid", lambda p, row, x: 1 / (1 + np.exp(-x)), at_infinity=FINITE)
pointwise("Sigmoid", "sigmoid")
