"""Operators that join the elements along some axes."""
import math
from checker.table import FLAG, INTEGERS, operator
from operators.parts.rows import row_window
from operators.parts.total import total

def _reduced_axes(call, since, is_open):
    given = call.list_by_opset("axes", 1, since)
    is_noop = call.get("noop_with_empty_axes", 0)
    is_ambiguous = math.prod(call.shape()) == 0 and min(given or [0]) < 0
    call.opaque_if(is_ambiguous, "a negative axis of nothing is read in two ways")
    call.opaque_if(is_noop and not given and is_open, "of no axis it is read in two ways")
    return call.axes(given or ([] if is_noop else range(len(call.shape()))))

def _of_some(call, axes):
    number = math.prod(call.shape()[i] for i in axes)
    call.opaque_if(number == 0, "of no element")
    return number

def without(ring, x, axes, keeps):
    """Without those axes, which have one element each, unless they stay."""
    return ring.reshape(x, [n for i, n in enumerate(x.shape) if keeps or i not in axes])

def _defined(name, since, compute, moves=lambda call, axes: False, is_open=False):
    """`since`: from which operator set on the axes are an operand; `is_open`: whether texts and runtimes differ where
    no axis is reduced."""
    attributes = {"axes": INTEGERS, "keepdims": FLAG, "noop_with_empty_axes": FLAG}
    def axes_of(call):
        return _reduced_axes(call, since, is_open)
    @operator(name, integers=1, attributes=attributes, moves=lambda call: moves(call, axes_of(call)))
    def define(call, ring, x):
        axes = axes_of(call)
        return without(ring, compute(call, ring, x, axes), axes, call.get("keepdims", 1))

def summed(name, since, divides):
    _defined(name, since, lambda call, ring, x, axes: total(call, ring, x, axes, True, divides), lambda call, axes: not axes)

def _is_single(call, axes):
    return math.prod(call.shape()[i] for i in axes) == 1

def extreme_over(call, ring, x, axes, function):
    """Of a single element that element itself."""
    return x if _of_some(call, axes) == 1 else ring.apply(function, (), [], row_window(x, axes))

def extreme(name, function):
    _defined(name, 18, lambda call, ring, x, axes: extreme_over(call, ring, x, axes, function), _is_single)

def multiplied(name, function, most):
    """Of up to `most` elements exactly their product."""
    def compute(call, ring, x, axes):
        if _of_some(call, axes) > most:
            return ring.apply(function, (), [], row_window(x, axes))
        factors = [x]
        for axis in axes:
            factors = [ring.slice(f, {axis: slice(i, i + 1)}) for f in factors for i in range(x.shape[axis])]
        out = factors[0]
        for factor in factors[1:]:
            out = ring.multiply(out, factor)
        return out
    _defined(name, 18, compute, _is_single)

def summed_of(name, of):
    """The sum of what `of(ring, x)` makes of each element."""
    def compute(call, ring, x, axes):
        _of_some(call, axes)
        return ring.sum(of(ring, x), axes)
    _defined(name, 18, compute, is_open=True)

def of_row(name, function):
    def compute(call, ring, x, axes):
        _of_some(call, axes)
        return ring.apply(function, (), [], row_window(x, axes))
    _defined(name, 18, compute, is_open=True)
