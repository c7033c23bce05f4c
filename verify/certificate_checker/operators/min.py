"""Min of any number of operands."""
import functools
import numpy as np
from checker.functions import element_function
from checker.kinds_of_numbers import INFINITE
from operators.parts.pointwise import pointwise

element_function("min", lambda p, row, *x: functools.reduce(np.minimum, x), at_infinity=INFINITE, of_integers=True)
pointwise("Min", "min", (1, 2**31))
