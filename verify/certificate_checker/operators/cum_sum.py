"""CumSum."""
from itertools import accumulate
from checker.table import FLAG, operator

@operator("CumSum", integers=1, attributes={"exclusive": FLAG, "reverse": FLAG}, since=11)
def _cum_sum(call, ring, x):
    """In the order of runtimes: one after another."""
    axis = call.axis(call.integer(1, "axis"))
    n, is_reverse = x.shape[axis], call.get("reverse", 0)
    if n == 0:
        return x
    if call.get("exclusive", 0):
        before, after = [0] * len(x.shape), [0] * len(x.shape)
        (after if is_reverse else before)[axis] = 1
        x = ring.slice(ring.pad(x, before, after), {axis: slice(1, n + 1) if is_reverse else slice(0, n)})
    elements = [ring.slice(x, {axis: slice(i, i + 1)}) for i in range(n)]
    if is_reverse:
        return ring.concat([*accumulate(reversed(elements), ring.add)][::-1], axis)
    return ring.concat([*accumulate(elements, ring.add)], axis)
