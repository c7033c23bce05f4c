"""Atan."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("atan", lambda p, row, x: np.arctan(x))
pointwise("Atan", "atan")
