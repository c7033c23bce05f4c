"""Element functions: what they yield, and whether they are defined everywhere."""
import functools
import math
from typing import Callable, NamedTuple
import numpy as np

LARGEST = float(np.finfo(np.float32).max)

class Function(NamedTuple):
    """`value(parameters, row, *elements)` in doubles; a row has one axis more, the window's."""
    value: Callable
    is_total: bool = True

def _erf(x):
    return np.asarray(np.frompyfunc(math.erf, 1, 1)(x), dtype=np.float64)

def _gelu(p, row, x):
    if p[0] == 0:
        return x / 2 * (1 + _erf(x / math.sqrt(2)))
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))

def _softmax(p, row, x):
    top = row.max(axis=-1, initial=-np.inf)
    return np.exp(x - top) / np.exp(row - top[..., None]).sum(axis=-1)

def _row_deviation(p, row):
    return 1 / np.sqrt(row.var(axis=-1) + p[0])

def _of_one(value, is_total=True):
    return Function(lambda p, row, x: value(x), is_total)

_TABLE = {
    "relu": _of_one(lambda x: np.maximum(x, 0)),
    "leaky_relu": Function(lambda p, row, x: np.where(x < 0, p[0] * x, x)),
    "p_relu": Function(lambda p, row, x, slope: np.where(x < 0, slope * x, x)),
    "elu": Function(lambda p, row, x: np.where(x < 0, p[0] * np.expm1(x), x)),
    "sigmoid": _of_one(lambda x: 1 / (1 + np.exp(-x))),
    "hard_sigmoid": Function(lambda p, row, x: np.clip(p[0] * x + p[1], 0, 1)),
    "hard_swish": _of_one(lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
    "softplus": _of_one(lambda x: np.logaddexp(x, 0)),
    "tanh": _of_one(np.tanh), "erf": _of_one(_erf), "exp": _of_one(np.exp), "abs": _of_one(np.abs),
    "gelu": Function(_gelu),
    "clip": Function(lambda p, row, x, low, high: np.minimum(np.maximum(x, low), high)),
    "max": Function(lambda p, row, *x: functools.reduce(np.maximum, x)),
    "min": Function(lambda p, row, *x: functools.reduce(np.minimum, x)),
    "softmax": Function(_softmax),
    "largest": Function(lambda p, row: np.maximum(row.max(axis=-1, initial=-np.inf), -LARGEST)),
    "log": _of_one(np.log, False), "sqrt": _of_one(np.sqrt, False), "reciprocal": _of_one(np.reciprocal, False),
    "pow": Function(lambda p, row, x, y: np.power(x, y), False),
    "inverse_deviation": Function(lambda p, row, v: 1 / np.sqrt(v + p[0]), False),
    "normalized": Function(lambda p, row, x: (x - row.mean(axis=-1)) * _row_deviation(p, row), False),
    "inverse_deviation_of_row": Function(_row_deviation, False),
}  # fmt: skip

of = _TABLE.__getitem__
