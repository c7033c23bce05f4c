"""And."""
import numpy as np
from operators.parts.truth import logic, truth_function

truth_function("logical_and", lambda a, b: np.logical_and(a != 0, b != 0))
logic("And", "logical_and")
