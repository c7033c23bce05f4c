"""Unsqueeze."""
from checker.table import INTEGERS, operator
from checker.tensors import limited

@operator("Unsqueeze", integers=1, attributes={"axes": INTEGERS}, moves=True)
def _unsqueeze(call, ring, x):
    given = call.list_by_opset("axes", 1, 13)
    call.fail_if(given is None, "axes are missing")
    shape = list(x.shape)
    for axis in sorted(call.axes(given, len(x.shape) + len(given))):
        shape.insert(axis, 1)
    return ring.reshape(x, limited(shape))
