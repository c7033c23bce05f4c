"""Split."""
import numpy as np
from checker.table import INTEGER, INTEGERS, operator

@operator("Split", integers=1, moves=True, attributes={"axis": INTEGER, "split": INTEGERS, "num_outputs": INTEGER})
def _split(call, ring, x):
    axis = call.axis(call.get("axis", 0))
    sizes = call.list_by_opset("split", 1, 13)
    pieces = call.get("num_outputs", call.outputs)
    is_odd = sizes is not None and "num_outputs" in call.attributes or pieces != call.outputs or pieces < 1
    call.fail_if(is_odd, "the number of results is stated in two ways")
    extent = x.shape[axis]
    if sizes is None:
        is_open = call.opset >= 18 and "num_outputs" not in call.attributes
        call.opaque_if(is_open, "neither sizes nor their number are given")
        size = -(-extent // pieces)
        sizes = [size] * (pieces - 1) + [extent - size * (pieces - 1)]
        call.opaque_if(sizes[-1] == 0 < extent, "nothing is left for the last piece")
        call.fail_if(call.opset < 18 and sizes[-1] != size, f"{extent} does not divide into {pieces} pieces")
    fits = len(sizes) == pieces and sum(sizes) == extent and min(sizes, default=0) >= 0
    call.fail_if(not fits, f"the sizes do not add up to {extent}")
    return [ring.slice(x, {axis: slice(end - size, end)}) for end, size in zip(np.cumsum(sizes).tolist(), sizes)]
