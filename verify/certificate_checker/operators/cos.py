"""Cos."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("cos", lambda p, row, x: np.cos(x))
pointwise("Cos", "cos")
