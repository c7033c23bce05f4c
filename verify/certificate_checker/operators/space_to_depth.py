"""SpaceToDepth."""
from checker.table import INTEGER, TEXT, operator
from operators.parts.blocks import blocks

@operator("SpaceToDepth", attributes={"blocksize": INTEGER, "mode": TEXT}, moves=True)
def _space_to_depth(call, ring, x):
    call.fail_if("mode" in call.attributes and call.opset < 28, "no mode before operator set 28")
    size, is_outer = blocks(call, x)
    n, channels, height, width = x.shape
    call.fail_if(height % size or width % size, f"{height} by {width} does not divide into blocks of {size}")
    x = ring.reshape(x, (n, channels, height // size, size, width // size, size))
    x = ring.transpose(x, (0, 3, 5, 1, 2, 4) if is_outer else (0, 1, 3, 5, 2, 4))
    return ring.reshape(x, (n, channels * size**2, height // size, width // size))
