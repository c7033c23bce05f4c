"""Sinh."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("sinh", lambda p, row, x: np.sinh(x))
pointwise("Sinh", "sinh")
