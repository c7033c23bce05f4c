"""HardSigmoid."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("hard_sigmoid", lambda p, row, x: np.clip(p[0] * x + p[1], 0, 1))
pointwise("HardSigmoid", "hard_sigmoid", alpha=0.2, beta=0.5)
