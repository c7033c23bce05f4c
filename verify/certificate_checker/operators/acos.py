"""Acos, which is not defined everywhere."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("acos", lambda p, row, x: np.arccos(x), is_total=False)
pointwise("Acos", "acos")
