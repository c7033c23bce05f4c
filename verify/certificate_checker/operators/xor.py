"""Xor."""
from operators.parts.truth import logic, truth_function

truth_function("logical_xor", lambda a, b: (a != 0) != (b != 0))
logic("Xor", "logical_xor")
