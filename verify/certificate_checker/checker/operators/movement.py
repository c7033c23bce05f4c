"""Operators that only move elements."""
import math
import numpy as np
from ..tensors import limited
from .table import FLAG, INTEGER, INTEGERS, TEXT, operator

operator("Identity", moves=True)(lambda call, ring, x: x)

@operator("Transpose", attributes={"perm": INTEGERS}, moves=True)
def _transpose(call, ring, x):
    order = call.get("perm", range(len(x.shape))[::-1])
    call.opaque_if(min(order, default=0) < 0, "perm counts from the end")
    call.fail_if(len(call.axes(order)) != len(x.shape), f"perm is no order of {len(x.shape)} axes")
    return ring.transpose(x, order)

@operator("Reshape", integers=1, attributes={"allowzero": FLAG}, moves=True)
def _reshape(call, ring, x):
    shape = call.integers(1, "shape")
    for i, extent in enumerate(shape):
        if extent == 0 and not call.get("allowzero", 0):
            call.fail_if(i >= len(x.shape), "a 0 beyond the operand's rank")
            shape[i] = x.shape[i]
    total, known = math.prod(x.shape), math.prod(n for n in shape if n != -1)
    if shape.count(-1) == 1 and known > 0 and total % known == 0:
        shape[shape.index(-1)] = total // known
    call.fail_if(min(shape, default=0) < 0 or math.prod(shape) != total, f"{list(x.shape)} does not become {shape}")
    return ring.reshape(x, limited(shape))

@operator("Flatten", attributes={"axis": INTEGER}, moves=True)
def _flatten(call, ring, x):
    rank, axis = len(x.shape), call.get("axis", 1)
    call.fail_if(not -rank <= axis <= rank, f"no border {axis} in rank {rank}")
    return ring.reshape(x, (math.prod(x.shape[:axis]), math.prod(x.shape[axis:])))

@operator("Squeeze", integers=1, attributes={"axes": INTEGERS}, moves=True)
def _squeeze(call, ring, x):
    given = call.list_by_opset("axes", 1, 13)
    call.opaque_if(given == [], "an empty list of axes is read in two ways")
    axes = call.axes(given or [i for i, n in enumerate(x.shape) if n == 1])
    call.fail_if(any(x.shape[i] != 1 for i in axes), f"an axis of {list(x.shape)} is not of extent 1")
    return ring.reshape(x, [n for i, n in enumerate(x.shape) if i not in axes])

@operator("Unsqueeze", integers=1, attributes={"axes": INTEGERS}, moves=True)
def _unsqueeze(call, ring, x):
    given = call.list_by_opset("axes", 1, 13)
    call.fail_if(given is None, "axes are missing")
    shape = list(x.shape)
    for axis in sorted(call.axes(given, len(x.shape) + len(given))):
        shape.insert(axis, 1)
    return ring.reshape(x, limited(shape))

@operator("Expand", integers=1, moves=True)
def _expand(call, ring, x):
    shape = limited(call.broadcast(x.shape, tuple(call.integers(1, "shape"))))
    aligned = ring.reshape(x, (1,) * (len(shape) - len(x.shape)) + tuple(x.shape))
    return ring.move(aligned, lambda a: np.broadcast_to(a, (a.shape[0], *shape)), "expand")

@operator("Concat", tensors=(1, 2**31), attributes={"axis": INTEGER}, moves=True)
def _concat(call, ring, *parts):
    call.fail_if("axis" not in call.attributes, "axis is missing")
    axis = call.axis(call.get("axis"))
    rests = {(len(p.shape), p.shape[:axis] + p.shape[axis + 1 :]) for p in parts}
    call.fail_if(len(rests) > 1, "the operands do not fit")
    return ring.concat(parts, axis)

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

@operator("Slice", integers=4, moves=True)
def _slice(call, ring, x):
    starts = call.integers(1, "starts", ("int32", "int64"))
    kind = (call.operands[1].type,)
    lists = [starts, call.integers(2, "ends", kind), range(len(starts)), [1] * len(starts)]
    for i, what in ((3, "axes"), (4, "steps")):
        if call.has(i):
            lists[i - 1] = call.integers(i, what, kind)
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

def padded(call, ring, x, before, after):
    """Zeros around, by axis; negative numbers crop."""
    crops = {}
    for i, extent in enumerate(x.shape):
        begin, end = max(0, -before[i]), extent + min(0, after[i])
        call.opaque_if(end < begin, f"crops more than axis {i} has")
        crops[i] = slice(begin, end)
    return ring.pad(ring.slice(x, crops), [max(0, n) for n in before], [max(0, n) for n in after])

# By mode: where a position outside reads, and how far outside.
_BORDERS = {
    "edge": (lambda at, extent: np.clip(at, 0, extent - 1), lambda extent: math.inf if extent else 0),
    "reflect": (lambda at, extent: (extent - 1) - abs((extent - 1) - abs(at)), lambda extent: max(0, extent - 1)),
    "wrap": (lambda at, extent: at % extent, lambda extent: extent),
}

@operator("Pad", integers=3, attributes={"mode": TEXT}, moves=True)
def _pad(call, ring, x):
    mode, rank = call.get("mode", "constant"), len(x.shape)
    call.fail_if(mode != "constant" and mode not in _BORDERS, f"no mode {mode!r}")
    call.opaque_if(mode == "wrap" and call.opset < 19, "mode wrap before operator set 19")
    is_zero = not call.has(2) or call.operands[2].is_zero and call.operands[2].type == call.operands[0].type
    call.opaque_if(mode == "constant" and not is_zero, "fills with something else than a constant 0")
    pads, axes = call.integers(1, "pads"), list(range(rank))
    if call.has(3):
        call.opaque_if(call.opset < 18, "axes before operator set 18")
        axes = call.axes(call.integers(3, "axes"))
    call.fail_if(len(pads) != 2 * len(axes), f"{len(pads)} pads for {len(axes)} axes")
    before, after = [0] * rank, [0] * rank
    for i, axis in enumerate(axes):
        before[axis], after[axis] = pads[i], pads[len(axes) + i]
    if mode == "constant":
        return padded(call, ring, x, before, after)
    place, reach = _BORDERS[mode]
    is_far = any(min(b, a) < 0 or max(b, a) > reach(n) for b, a, n in zip(before, after, x.shape))
    call.opaque_if(is_far, f"these pads in mode {mode}")
    if mode != "wrap":
        call.limit_pieces(1 + (b > 0) + (a > 0) for b, a in zip(before, after))
    limited([b + n + a for b, n, a in zip(before, x.shape, after)])
    for axis, extent in enumerate(x.shape):
        if before[axis] or after[axis]:
            x = ring.take(x, place(np.arange(-before[axis], extent + after[axis]), extent), axis)
    return x

@operator("Tile", integers=1, moves=True)
def _tile(call, ring, x):
    repeats = call.integers(1, "repeats")
    call.fail_if(len(repeats) != len(x.shape) or min(repeats, default=0) < 0, f"repeats {repeats[:8]}")
    limited([n * times for n, times in zip(x.shape, repeats)])
    for axis, times in enumerate(repeats):
        if times != 1:
            x = ring.take(x, np.tile(np.arange(x.shape[axis]), times), axis)
    return x

@operator("Gather", integers=1, attributes={"axis": INTEGER}, moves=True)
def _gather(call, ring, x):
    """At known positions; in few pieces, unless integers are gathered for shapes."""
    axis = call.axis(call.get("axis", 0))
    extent, positions = x.shape[axis], call.known(1, "indices").astype(np.int64)
    is_outside = (positions < -extent).any() or (positions >= extent).any()
    call.opaque_if(is_outside, f"positions outside {extent} elements: fails wherever it runs")
    positions = np.where(positions < 0, positions + extent, positions)
    if not call.operands[0].is_known:
        call.limit_pieces([_pieces(positions)])
    return ring.take(x, positions, axis)

def _pieces(positions):
    """How many runs a table of positions is cut into, axis by axis from the first on: in a run every slab follows the
    one before it by the same step everywhere."""
    if positions.ndim == 0 or positions.size == 0:
        return min(positions.size, 1)
    steps = np.diff(positions.reshape(len(positions), -1), axis=0)
    is_even = (steps == steps[:, :1]).all(axis=1)
    number, low = 0, 0
    while low < len(positions):
        number += _pieces(positions[low])
        first = low
        while low < len(steps) and is_even[low] and steps[low, 0] == steps[first, 0]:
            low += 1
        low += 1
    return number

def _blocks(call, x):
    """The size of blocks, and whether positions in a block come before channels."""
    size, mode = call.get("blocksize"), call.get("mode", "DCR")
    is_known = size is not None and 1 <= size <= 2**16 and mode in ("DCR", "CRD")
    call.fail_if(not is_known or len(x.shape) != 4, f"{list(x.shape)}, a blocksize of {size}, a mode of {mode!r}")
    return size, mode == "DCR"

@operator("DepthToSpace", attributes={"blocksize": INTEGER, "mode": TEXT}, moves=True)
def _depth_to_space(call, ring, x):
    size, is_outer = _blocks(call, x)
    n, channels, height, width = x.shape
    left = channels // size**2
    call.fail_if(channels % size**2, f"{channels} channels, blocks of {size}")
    x = ring.reshape(x, (n, *((size, size, left) if is_outer else (left, size, size)), height, width))
    x = ring.transpose(x, (0, 3, 4, 1, 5, 2) if is_outer else (0, 1, 4, 2, 5, 3))
    return ring.reshape(x, (n, left, height * size, width * size))

@operator("SpaceToDepth", attributes={"blocksize": INTEGER, "mode": TEXT}, moves=True)
def _space_to_depth(call, ring, x):
    call.fail_if("mode" in call.attributes and call.opset < 28, "no mode before operator set 28")
    size, is_outer = _blocks(call, x)
    n, channels, height, width = x.shape
    call.fail_if(height % size or width % size, f"{height} by {width} does not divide into blocks of {size}")
    x = ring.reshape(x, (n, channels, height // size, size, width // size, size))
    x = ring.transpose(x, (0, 3, 5, 1, 2, 4) if is_outer else (0, 1, 3, 5, 2, 4))
    return ring.reshape(x, (n, channels * size**2, height // size, width // size))
