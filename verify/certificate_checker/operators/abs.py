"""Abs."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("abs", lambda p, row, x: np.abs(x))
pointwise("Abs", "abs")
