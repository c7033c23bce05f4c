"""What both kinds of convolution demand and end with."""

def check_kernel(call, x, w, b, groups, features):
    """What both kinds of convolution demand; `features`: of the result."""
    call.fail_if(len(x.shape) < 3 or len(w.shape) != len(x.shape), f"{list(x.shape)} and {list(w.shape)} do not fit")
    call.opaque_if(len(x.shape) > 5, "more than 3 spatial axes")
    call.fail_if(groups < 1 or w.shape[0] == 0 or w.shape[0] % groups, f"{list(w.shape)} does not fit {groups} groups")
    call.fail_if(list(call.get("kernel_shape") or w.shape[2:]) != list(w.shape[2:]), "another kernel_shape")
    call.fail_if(b is not None and b.shape != (features,), "the bias must have one element for each feature")

def with_bias(ring, out, b):
    return out if b is None else ring.add(out, ring.reshape(b, (1, *b.shape) + (1,) * (len(out.shape) - 2)))
