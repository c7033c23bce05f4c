"""Sigmoid."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("sigmoid", lambda p, row, x: 1 / (1 + np.exp(-x)), is_bounded=True)
pointwise("Sigmoid", "sigmoid")
