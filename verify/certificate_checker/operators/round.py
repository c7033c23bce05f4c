"""Round: halves to the even integer."""
import numpy as np
from checker.functions import element_function
from checker.kinds_of_numbers import INFINITE
from operators.parts.pointwise import pointwise

element_function("round", lambda p, row, x: np.round(x), at_infinity=INFINITE)
pointwise("Round", "round")
