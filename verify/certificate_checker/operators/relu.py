"""Relu."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("relu", lambda p, row, x: np.maximum(x, 0))
pointwise("Relu", "relu")
