"""ReduceSum."""
from operators.parts.reduction import reduction

reduction("ReduceSum", 13, divides=False)
