"""IsNaN."""
import numpy as np
from checker.table import operator
from operators.parts.truth import truth_function

truth_function("is_nan", np.isnan)  # of real numbers none is

def _type(call):
    call.opaque_if(call.type(0) != "float", "not defined for operands of these types")
    return "bool"

@operator("IsNaN", since=9, element_type=_type)
def _is_nan(call, ring, x):
    return ring.apply("is_nan", (), [x])
