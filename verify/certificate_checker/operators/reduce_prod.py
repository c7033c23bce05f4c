"""ReduceProd."""
from checker.functions import element_function
from operators.parts.reduction import multiplied

element_function("product", lambda p, row: row.prod(axis=-1))
multiplied("ReduceProd", "product", most=8)
