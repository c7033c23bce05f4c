"""Operators that sum over axes, or take the mean."""
import math
from checker.table import FLAG, INTEGERS, operator
from operators.parts.total import total

def _reduced_axes(call, since):
    given = call.list_by_opset("axes", 1, since)
    is_noop = call.get("noop_with_empty_axes", 0)
    is_ambiguous = math.prod(call.shape()) == 0 and min(given or [0]) < 0
    call.opaque_if(is_ambiguous, "a negative axis of nothing is read in two ways")
    return call.axes(given or ([] if is_noop else range(len(call.shape()))))

def reduction(name, since, divides):
    """`since`: from which operator set on the axes are an operand."""
    attributes = {"axes": INTEGERS, "keepdims": FLAG, "noop_with_empty_axes": FLAG}
    @operator(name, integers=1, attributes=attributes, moves=lambda call: not _reduced_axes(call, since))
    def define(call, ring, x):
        return total(call, ring, x, _reduced_axes(call, since), call.get("keepdims", 1), divides)
