"""Operators that add or multiply operands that broadcast."""
import functools
from checker.table import operator

def arithmetic(name, method, tensors=(2, 2)):
    @operator(name, tensors)
    def define(call, ring, *operands):
        call.broadcast(*(x.shape for x in operands))
        return functools.reduce(getattr(ring, method), operands)
