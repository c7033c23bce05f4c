"""MeanVarianceNormalization."""
from checker.functions import element_function
from checker.table import INTEGERS, operator
from operators.parts.rows import row_window

element_function("mean_variance_normalized", lambda p, row, x: (x - row.mean(axis=-1)) / (row.std(axis=-1) + 1e-9))

@operator("MeanVarianceNormalization", attributes={"axes": INTEGERS}, since=9)
def _mean_variance_normalization(call, ring, x):
    axes = call.axes(call.get("axes", [0, 2, 3]))
    call.opaque_if(not axes, "no axes")
    return ring.apply("mean_variance_normalized", (), [x], row_window(x, sorted(axes)))
