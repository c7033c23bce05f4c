"""Log, which is not defined everywhere."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("log", lambda p, row, x: np.log(x), is_total=False)
pointwise("Log", "log")
