"""Greater."""
from operators.parts.truth import comparison, truth_function

truth_function("larger", lambda a, b: a > b)
comparison("Greater", "larger")
