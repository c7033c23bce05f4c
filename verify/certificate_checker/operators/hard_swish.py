"""HardSwish."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("hard_swish", lambda p, row, x: x * np.clip(x / 6 + 0.5, 0, 1))
pointwise("HardSwish", "hard_swish", since=14)
