"""Reciprocal, which is not defined everywhere."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("reciprocal", lambda p, row, x: np.reciprocal(x), is_total=False)
pointwise("Reciprocal", "reciprocal")
