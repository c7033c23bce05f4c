"""LayerNormalization."""
import math
from checker.functions import element_function
from checker.table import INTEGER, REAL, operator
from operators.parts.normalized import check_stash_type, normalized
from operators.parts.rows import EPSILON, row_deviation, row_window
from operators.parts.total import total

element_function("inverse_deviation_of_row", row_deviation, is_total=False)

@operator("LayerNormalization", tensors=(2, 3), since=17,
          attributes={"axis": INTEGER, "epsilon": REAL, "stash_type": INTEGER})  # fmt: skip
def _layer_normalization(call, ring, x, scale, bias=None):
    check_stash_type(call)
    axes = list(range(call.axis(call.get("axis", -1)), len(x.shape)))
    parameters = (call.get("epsilon", EPSILON),)
    fits = all(v is None or call.broadcast(v.shape, x.shape) == tuple(x.shape) for v in (scale, bias))
    call.fail_if(not fits, "scale or bias does not broadcast to the operand")
    rows = row_window(x, axes)
    out = ring.multiply(normalized(ring, x, rows, *parameters), scale)
    results = [out if bias is None else ring.add(out, bias)]
    if call.outputs > 1:
        results.append(total(call, ring, x, axes, keeps=True, divides=True))
    if call.outputs > 2:
        call.opaque_if(math.prod(x.shape[i] for i in axes) == 0, "the deviation of no element")
        results.append(ring.apply("inverse_deviation_of_row", parameters, [], rows))
    return results
