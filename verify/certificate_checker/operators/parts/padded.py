"""Zeros around a tensor, or a part of it cut out."""

def padded(call, ring, x, before, after):
    """Zeros around, by axis; negative numbers crop."""
    crops = {}
    for i, extent in enumerate(x.shape):
        begin, end = max(0, -before[i]), extent + min(0, after[i])
        call.opaque_if(end < begin, f"crops more than axis {i} has")
        crops[i] = slice(begin, end)
    return ring.pad(ring.slice(x, crops), [max(0, n) for n in before], [max(0, n) for n in after])
