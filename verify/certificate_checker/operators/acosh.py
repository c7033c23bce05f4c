"""Acosh, which is not defined everywhere."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("acosh", lambda p, row, x: np.arccosh(x), is_total=False)
pointwise("Acosh", "acosh")
