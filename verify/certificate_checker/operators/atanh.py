"""Atanh, which is not defined everywhere."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("atanh", lambda p, row, x: np.arctanh(x), is_total=False)
pointwise("Atanh", "atanh")
