"""Shrink."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("shrink", lambda p, row, x: np.where(x < -p[1], x + p[0], np.where(x > p[1], x - p[0], 0)))
pointwise("Shrink", "shrink", since=9, bias=0, lambd=0.5)
