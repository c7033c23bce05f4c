"""Selu."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("selu", lambda p, row, x: p[1] * np.where(x > 0, x, p[0] * np.expm1(x)))
pointwise("Selu", "selu", alpha=1.67326319217681884765625, gamma=1.05070102214813232421875)
