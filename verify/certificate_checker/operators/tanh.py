"""Tanh."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("tanh", lambda p, row, x: np.tanh(x), is_bounded=True)
pointwise("Tanh", "tanh")
