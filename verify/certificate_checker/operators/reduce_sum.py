"""ReduceSum."""
from operators.parts.reduction import summed

summed("ReduceSum", 13, divides=False)
