"""ReduceMean."""
from operators.parts.reduction import summed

summed("ReduceMean", 18, divides=True)
