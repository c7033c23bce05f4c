"""Sqrt, which is not defined everywhere."""
import numpy as np
from checker.functions import element_function
from operators.parts.enclosed import root
from operators.parts.pointwise import pointwise

element_function("sqrt", lambda p, row, x: np.sqrt(x), is_total=False, enclosed=lambda p, x: root(x))
pointwise("Sqrt", "sqrt")
