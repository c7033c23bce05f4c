"""ReduceMin."""
import numpy as np
from checker.functions import LARGEST, element_function
from checker.kinds_of_numbers import INFINITE
from operators.parts.reduction import extreme

element_function("smallest", lambda p, row: np.minimum(row.min(axis=-1, initial=np.inf), LARGEST), at_infinity=INFINITE)
extreme("ReduceMin", "smallest")
