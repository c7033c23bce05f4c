"""ReduceMin."""
import numpy as np
from checker.functions import LARGEST, element_function
from operators.parts.reduction import extreme

element_function("smallest", lambda p, row: np.minimum(row.min(axis=-1, initial=np.inf), LARGEST))
extreme("ReduceMin", "smallest")
