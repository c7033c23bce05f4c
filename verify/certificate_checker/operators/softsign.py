"""Softsign."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("softsign", lambda p, row, x: x / (1 + np.abs(x)))
pointwise("Softsign", "softsign")
