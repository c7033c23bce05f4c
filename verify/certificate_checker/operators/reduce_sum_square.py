"""ReduceSumSquare."""
from operators.parts.reduction import summed_of

summed_of("ReduceSumSquare", lambda ring, x: ring.multiply(x, x))
