"""Functions of a whole row of the operand, as normalisations read it."""
import math
import numpy as np
from checker.rings.ring import Window

EPSILON = float(np.float32(1e-5))

def row_window(x, axes):
    """The row along `axes` through each element; in the result they are axes of one."""
    kept = [i for i in range(len(x.shape)) if i not in axes]
    shape = [1 if i in axes else n for i, n in enumerate(x.shape)]
    width = math.prod(x.shape[i] for i in axes)
    def arrange(array, hole):
        return array.transpose(0, *(i + 1 for i in kept), *(i + 1 for i in axes)).reshape(array.shape[0], *shape, width)
    return Window(x, arrange, axes)

def row_deviation(p, row):
    return 1 / np.sqrt(row.var(axis=-1) + p[0])
