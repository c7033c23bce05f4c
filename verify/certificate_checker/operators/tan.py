"""Tan, which is not defined everywhere."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("tan", lambda p, row, x: np.tan(x), is_total=False)
pointwise("Tan", "tan")
