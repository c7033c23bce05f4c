"""ReduceMean."""
from operators.parts.reduction import reduction

reduction("ReduceMean", 18, divides=True)
