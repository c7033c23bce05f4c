"""Operators that add or multiply operands that broadcast."""
import functools
from checker.table import operator

def is_alone(call):
    """A sum of one operand is that operand, of whatever elements."""
    return len(call.operands) == 1

def arithmetic(name, method, tensors=(2, 2)):
    @operator(name, tensors, moves=is_alone)
    def define(call, ring, *operands):
        call.broadcast(*(x.shape for x in operands))
        return functools.reduce(getattr(ring, method), operands)
