"""Mean of any number of operands."""
from fractions import Fraction
from functools import reduce
from checker.table import operator

@operator("Mean", tensors=(1, 2**31))
def _mean(call, ring, *operands):
    call.broadcast(*(x.shape for x in operands))
    return ring.scale(reduce(ring.add, operands), Fraction(1, len(operands)))
