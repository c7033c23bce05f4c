"""Exp."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("exp", lambda p, row, x: np.exp(x))
pointwise("Exp", "exp")
