"""ReduceL1."""
from operators.parts.reduction import summed_of

summed_of("ReduceL1", lambda ring, x: ring.apply("abs", (), [x]))
