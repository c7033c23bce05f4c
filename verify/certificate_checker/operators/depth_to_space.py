"""DepthToSpace."""
from checker.table import INTEGER, TEXT, operator
from operators.parts.blocks import blocks

@operator("DepthToSpace", attributes={"blocksize": INTEGER, "mode": TEXT}, moves=True)
def _depth_to_space(call, ring, x):
    size, is_outer = blocks(call, x)
    n, channels, height, width = x.shape
    left = channels // size**2
    call.fail_if(channels % size**2, f"{channels} channels, blocks of {size}")
    x = ring.reshape(x, (n, *((size, size, left) if is_outer else (left, size, size)), height, width))
    x = ring.transpose(x, (0, 3, 4, 1, 5, 2) if is_outer else (0, 1, 4, 2, 5, 3))
    return ring.reshape(x, (n, left, height * size, width * size))
