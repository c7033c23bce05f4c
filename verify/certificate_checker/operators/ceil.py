"""Ceil."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("ceil", lambda p, row, x: np.ceil(x))
pointwise("Ceil", "ceil")
