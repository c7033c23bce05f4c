"""LeakyRelu."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("leaky_relu", lambda p, row, x: np.where(x < 0, p[0] * x, x))
pointwise("LeakyRelu", "leaky_relu", alpha=0.01)
