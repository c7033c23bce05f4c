"""GlobalAveragePool."""
from checker.table import operator
from operators.parts.total import total

@operator("GlobalAveragePool")
def _global_average_pool(call, ring, x):
    call.fail_if(len(x.shape) < 3, "the operand has no spatial axis")
    return total(call, ring, x, range(2, len(x.shape)), keeps=True, divides=True)
