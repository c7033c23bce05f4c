"""Elu."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("elu", lambda p, row, x: np.where(x < 0, p[0] * np.expm1(x), x))
pointwise("Elu", "elu", alpha=1)
