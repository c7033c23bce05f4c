"""Shape, or a part of it."""
from checker.integers import integer_operator, result

@integer_operator("Shape", 1, ("start", "end"), of_shapes=True)
def _shape(call, shape):
    call.opaque_if(call.attributes and call.opset < 15, "a part, before there were parts")
    part = shape[slice(call.get("start"), call.get("end"))]
    return result("int64", part, (len(part),))
