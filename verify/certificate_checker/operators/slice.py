"""Slice."""
from checker.table import INTEGERS, operator

def _by_operands(call):
    call.fail_if(bool(call.attributes), "attributes, which are operands from operator set 10 on")
    starts = call.integers(1, "starts", ("int32", "int64"))
    kind = (call.operands[1].type,)
    lists = [starts, call.integers(2, "ends", kind), range(len(starts)), [1] * len(starts)]
    for i, what in ((3, "axes"), (4, "steps")):
        if call.has(i):
            lists[i - 1] = call.integers(i, what, kind)
    return lists

def _by_attributes(call):
    """Before operator set 10, without steps."""
    call.fail_if(len(call.operands) > 1, "more than one operand")
    starts, ends = call.get("starts"), call.get("ends")
    call.fail_if(starts is None or ends is None, "no starts or ends")
    return [starts, ends, call.get("axes", range(len(starts))), [1] * len(starts)]

@operator("Slice", integers=4, attributes=dict.fromkeys(("starts", "ends", "axes"), INTEGERS), moves=True)
def _slice(call, ring, x):
    lists = _by_operands(call) if call.opset >= 10 else _by_attributes(call)
    call.fail_if(len(set(map(len, lists))) != 1, "starts, ends, axes and steps have different lengths")
    lists[2] = call.axes(lists[2])
    slices = {}
    for start, end, axis, step in zip(*lists):
        call.fail_if(step == 0, "a step of 0")
        is_ambiguous = step < 0 and end in (2**31 - 1, 2**63 - 1)
        call.opaque_if(is_ambiguous, "backwards up to the largest integer is read in two ways")
        slices[axis] = _literal(start, end, step, x.shape[axis])
    return ring.slice(x, slices)

def _literal(start, end, step, extent):
    """As ONNX clamps: a Python slice that never means "from the end" by accident."""
    low, high = (0, extent) if step > 0 else (-1, extent - 1)
    start = min(max(start + extent if start < 0 else start, 0), high)
    end = min(max(end + extent if end < 0 else end, low), high)
    return slice(start, None if end < 0 else end, step) if extent else slice(0, 0)
