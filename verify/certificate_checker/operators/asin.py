"""Asin, which is not defined everywhere."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("asin", lambda p, row, x: np.arcsin(x), is_total=False)
pointwise("Asin", "asin")
