"""Softplus."""
import numpy as np
from checker.functions import element_function
from checker.kinds_of_numbers import INFINITE
from operators.parts.pointwise import pointwise

element_function("softplus", lambda p, row, x: np.logaddexp(x, 0), at_infinity=INFINITE)
pointwise("Softplus", "softplus")
