"""ReduceLogSum, which is not defined everywhere."""
import numpy as np
from checker.functions import element_function
from operators.parts.reduction import of_row

element_function("log_of_sum", lambda p, row: np.log(row.sum(axis=-1)), is_total=False)
of_row("ReduceLogSum", "log_of_sum")
