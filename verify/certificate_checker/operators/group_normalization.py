"""GroupNormalization, with scale and bias by channel."""
from checker.table import INTEGER, REAL, operator
from operators.parts.normalized import by_channel, check_stash_type, normalized
from operators.parts.rows import EPSILON, row_window

@operator("GroupNormalization", tensors=(3, 3), since=21,
          attributes={"epsilon": REAL, "num_groups": INTEGER, "stash_type": INTEGER})  # fmt: skip
def _group_normalization(call, ring, x, scale, bias):
    check_stash_type(call)
    groups = call.get("num_groups", 0)
    is_divided = len(x.shape) > 1 and groups > 0 and x.shape[1] > 0 and x.shape[1] % groups == 0
    call.fail_if(not is_divided, f"the channels of {list(x.shape)} are no {groups} groups")
    apart = ring.reshape(x, (x.shape[0], groups, x.shape[1] // groups, *x.shape[2:]))
    rows = row_window(apart, list(range(2, len(apart.shape))))
    out = ring.reshape(normalized(ring, apart, rows, call.get("epsilon", EPSILON)), x.shape)
    return by_channel(call, ring, x, out, scale, bias)
