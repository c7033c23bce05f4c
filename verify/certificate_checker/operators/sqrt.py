"""Sqrt, which is not defined everywhere."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("sqrt", lambda p, row, x: np.sqrt(x), is_total=False)
pointwise("Sqrt", "sqrt")
