"""GreaterOrEqual."""
from operators.parts.truth import comparison, truth_function

truth_function("not_smaller", lambda a, b: a >= b)
comparison("GreaterOrEqual", "not_smaller", since=12)
