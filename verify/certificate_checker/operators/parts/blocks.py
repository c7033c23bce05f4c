"""The blocks that positions are moved in, to channels and back."""

def blocks(call, x):
    """The size of blocks, and whether positions in a block come before channels."""
    size, mode = call.get("blocksize"), call.get("mode", "DCR")
    is_known = size is not None and 1 <= size <= 2**16 and mode in ("DCR", "CRD")
    call.fail_if(not is_known or len(x.shape) != 4, f"{list(x.shape)}, a blocksize of {size}, a mode of {mode!r}")
    return size, mode == "DCR"
