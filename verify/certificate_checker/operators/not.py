"""Not."""
from operators.parts.truth import logic, truth_function

truth_function("logical_not", lambda a: a == 0)
logic("Not", "logical_not", 1)
