"""Cosh."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("cosh", lambda p, row, x: np.cosh(x))
pointwise("Cosh", "cosh")
