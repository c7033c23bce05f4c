"""Asinh."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("asinh", lambda p, row, x: np.arcsinh(x))
pointwise("Asinh", "asinh")
