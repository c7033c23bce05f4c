"""Floor."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("floor", lambda p, row, x: np.floor(x))
pointwise("Floor", "floor")
