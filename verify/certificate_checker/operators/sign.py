"""Sign, which is not continuous."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("sign", lambda p, row, x: np.sign(x))
pointwise("Sign", "sign")
