"""Softmax."""
import numpy as np
from checker.functions import element_function
from checker.kinds_of_numbers import FINITE
from operators.parts.softmax import softmax

def _value(p, row, x):
    top = row.max(axis=-1, initial=-np.inf)
    return np.exp(x - top) / np.exp(row - top[..., None]).sum(axis=-1)

element_function("softmax", _value, at_infinity=FINITE)
softmax("Softmax", "softmax")
