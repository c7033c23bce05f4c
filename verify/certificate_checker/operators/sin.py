"""Sin."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("sin", lambda p, row, x: np.sin(x))
pointwise("Sin", "sin")
