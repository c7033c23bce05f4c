"""Floor."""
import numpy as np
from checker.functions import element_function
from checker.kinds_of_numbers import INFINITE
from operators.parts.pointwise import pointwise

element_function("floor", lambda p, row, x: np.floor(x), at_infinity=INFINITE)
pointwise("Floor", "floor")
