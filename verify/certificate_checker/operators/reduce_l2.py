"""ReduceL2."""
import numpy as np
from checker.functions import element_function
from operators.parts.reduction import of_row

element_function("length", lambda p, row: np.sqrt((row * row).sum(axis=-1)))
of_row("ReduceL2", "length")
