"""ThresholdedRelu."""
import numpy as np
from checker.functions import element_function
from operators.parts.pointwise import pointwise

element_function("thresholded_relu", lambda p, row, x: np.where(x > p[0], x, 0))
pointwise("ThresholdedRelu", "thresholded_relu", since=10, alpha=1)
