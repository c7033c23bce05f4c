"""Mean of any number of operands."""
from fractions import Fraction
from functools import reduce
from checker.table import operator
from operators.parts.arithmetic import is_alone

@operator("Mean", tensors=(1, 2**31), moves=is_alone)
def _mean(call, ring, *operands):
    call.broadcast(*(x.shape for x in operands))
    return operands[0] if is_alone(call) else ring.scale(reduce(ring.add, operands), Fraction(1, len(operands)))
