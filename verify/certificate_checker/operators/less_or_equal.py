"""LessOrEqual: the second is no smaller."""
from operators.parts.truth import comparison

comparison("LessOrEqual", "not_smaller", is_reversed=True, since=12)
