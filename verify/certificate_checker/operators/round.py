"""Round: halves to the even integer."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("round", lambda p, row, x: np.round(x))
pointwise("Round", "round")
