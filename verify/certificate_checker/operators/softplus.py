"""Softplus."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("softplus", lambda p, row, x: np.logaddexp(x, 0))
pointwise("Softplus", "softplus")
