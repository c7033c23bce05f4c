"""Less: the second is the larger one."""
from operators.parts.truth import comparison

comparison("Less", "larger", is_reversed=True)
