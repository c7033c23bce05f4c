"""Or."""
import numpy as np
from operators.parts.truth import logic, truth_function

truth_function("logical_or", lambda a, b: np.logical_or(a != 0, b != 0))
logic("Or", "logical_or")
