"""Erf."""
import math
import numpy as np
from checker.functions import element_function
from checker.kinds_of_numbers import FINITE
from operators.parts.pointwise import pointwise

def erf_of(x):
    return np.asarray(np.frompyfunc(math.erf, 1, 1)(x), dtype=np.float64)

element_function("erf", lambda p, row, x: erf_of(x), at_infinity=FINITE)
pointwise("Erf", "erf")
