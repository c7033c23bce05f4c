"""Reciprocal, which is not defined everywhere."""
import numpy as np
from checker.functions import element_function
from operators.parts.enclosed import inverse
from operators.parts.pointwise import pointwise

element_function("reciprocal", lambda p, row, x: np.reciprocal(x), is_total=False, enclosed=lambda p, x: inverse(x))
pointwise("Reciprocal", "reciprocal")
