"""Min of any number of operands."""
import functools
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("min", lambda p, row, *x: functools.reduce(np.minimum, x))
pointwise("Min", "min", (1, 2**31))
