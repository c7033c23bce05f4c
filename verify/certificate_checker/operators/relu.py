"""Relu."""
import numpy as np
from checker.functions import element_function
from checker.kinds_of_numbers import INFINITE
from operators.parts.pointwise import pointwise

element_function("relu", lambda p, row, x: np.maximum(x, 0), at_infinity=INFINITE)
pointwise("Relu", "relu")
