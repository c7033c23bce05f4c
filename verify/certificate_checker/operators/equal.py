"""Equal."""
from operators.parts.truth import NUMBERS, comparison, truth_function

truth_function("equal", lambda a, b: a == b)
comparison("Equal", "equal", of=NUMBERS)
