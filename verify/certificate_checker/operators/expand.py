"""Expand."""
from checker.table import operator
from checker.tensors import limited

@operator("Expand", integers=1, moves=True)
def _expand(call, ring, x):
    shape = limited(call.broadcast(x.shape, tuple(call.integers(1, "shape"))))
    aligned = ring.reshape(x, (1,) * (len(shape) - len(x.shape)) + tuple(x.shape))
    return ring.expand(aligned, shape)
