"""Mish."""
from checker.table import operator

@operator("Mish", since=18)
def _mish(call, ring, x):
    return ring.multiply(x, ring.apply("tanh", (), [ring.apply("softplus", (), [x])]))
