"""Operators that add and multiply: pointwise, products of matrices, sums and means over axes."""
import functools
import math
from fractions import Fraction
from .table import FLAG, INTEGER, INTEGERS, REAL, TEXT, operator

def _arithmetic(name, method, tensors=(2, 2)):
    @operator(name, tensors)
    def define(call, ring, *operands):
        call.broadcast(*(x.shape for x in operands))
        return functools.reduce(getattr(ring, method), operands)

for _one in (("Add", "add"), ("Sub", "subtract"), ("Mul", "multiply"), ("Sum", "add", (1, 2**31))):
    _arithmetic(*_one)

@operator("Div", tensors=(2, 2))
def _divide(call, ring, a, b):
    """By an ordinary number it is a scaling."""
    shape, divisor = call.broadcast(a.shape, b.shape), call.number(1)
    is_scaling = divisor is not None and 2.0**-39 <= abs(divisor) <= 2.0**39
    return ring.reshape(ring.scale(a, 1 / divisor), shape) if is_scaling else ring.divide(a, b)

operator("Neg")(lambda call, ring, x: ring.scale(x, -1))

@operator("MatMul", tensors=(2, 2))
def _mat_mul(call, ring, a, b):
    """An operand of one axis is a row on the left and a column on the right."""
    is_row, is_column = len(a.shape) == 1, len(b.shape) == 1
    fits = a.shape and b.shape and a.shape[-1] == b.shape[0 if is_column else -2]
    call.fail_if(not fits, f"{list(a.shape)} and {list(b.shape)} do not fit")
    a = ring.reshape(a, (1, *a.shape)) if is_row else a
    b = ring.reshape(b, (*b.shape, 1)) if is_column else b
    shape = (*call.broadcast(a.shape[:-2], b.shape[:-2]), *([] if is_row else a.shape[-2:-1]),
             *([] if is_column else b.shape[-1:]))  # fmt: skip
    return ring.reshape(ring.matmul(a, b), shape)

@operator("Gemm", tensors=(2, 3), attributes={"alpha": REAL, "beta": REAL, "transA": INTEGER, "transB": INTEGER})
def _gemm(call, ring, a, b, c=None):
    call.fail_if(len(a.shape) != 2 or len(b.shape) != 2, "the operands must be matrices")
    a = ring.transpose(a, (1, 0)) if call.get("transA", 0) else a
    b = ring.transpose(b, (1, 0)) if call.get("transB", 0) else b
    call.fail_if(a.shape[1] != b.shape[0], f"{list(a.shape)} and {list(b.shape)} do not fit")
    out = _scaled(call, ring, ring.matmul(a, b), "alpha")
    if c is None:
        return out
    call.fail_if(call.broadcast(c.shape, out.shape) != out.shape, f"{list(c.shape)} does not fit {list(out.shape)}")
    return ring.add(out, _scaled(call, ring, c, "beta"))

def _scaled(call, ring, x, name):
    factor = call.get(name, 1.0)
    call.opaque_if(not math.isfinite(factor) or (name, factor) == ("alpha", 0), f"{name} is {factor}")
    return x if factor == 1 else ring.scale(x, Fraction(factor))

def total(call, ring, x, axes, keeps, divides):
    """The sum, or the mean, over axes."""
    number = math.prod(x.shape[i] for i in axes)
    call.opaque_if(divides and number == 0, "the mean of no element")
    out = ring.sum(x, axes)
    if divides and number > 1:
        out = ring.scale(out, Fraction(1, number))
    return ring.reshape(out, [n for i, n in enumerate(out.shape) if keeps or i not in axes])

def _reduced_axes(call, since):
    given = call.list_by_opset("axes", 1, since)
    is_noop = call.get("noop_with_empty_axes", 0)
    is_ambiguous = math.prod(call.shape()) == 0 and min(given or [0]) < 0
    call.opaque_if(is_ambiguous, "a negative axis of nothing is read in two ways")
    return call.axes(given or ([] if is_noop else range(len(call.shape()))))

def _reduction(name, since, divides):
    """`since`: from which operator set on the axes are an operand."""
    attributes = {"axes": INTEGERS, "keepdims": FLAG, "noop_with_empty_axes": FLAG}
    @operator(name, integers=1, attributes=attributes, moves=lambda call: not _reduced_axes(call, since))
    def define(call, ring, x):
        return total(call, ring, x, _reduced_axes(call, since), call.get("keepdims", 1), divides)

_reduction("ReduceSum", 13, divides=False)
_reduction("ReduceMean", 18, divides=True)

@operator("GlobalAveragePool")
def _global_average_pool(call, ring, x):
    call.fail_if(len(x.shape) < 3, "the operand has no spatial axis")
    return total(call, ring, x, range(2, len(x.shape)), keeps=True, divides=True)

def _labels(call):
    """Of each operand, and of the result. The axes of an ellipsis, read as one dot, have digits."""
    call.fail_if("equation" not in call.attributes, "equation is missing")
    equation = call.get("equation").replace(" ", "")
    call.opaque_if(len(call.operands) > 2 or len(equation) > 64, "more than two operands, or a long equation")
    left, arrow, result = equation.replace("...", ".").partition("->")
    operands = left.split(",")
    letters = "".join(operands).replace(".", "")
    if not arrow:
        result = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
        call.opaque_if(not (result.islower() or result == ""), "capital letters and no arrow")
        result = "." * ("." in left) + result
    call.opaque_if("." in left and "." not in result, "an ellipsis on the left of the arrow alone")
    is_list = (letters + "a").isalpha() and letters.isascii() and not set(result) - set(left.replace(",", ""))
    is_list = is_list and "." not in equation.replace("...", "") and all(x.count(".") < 2 for x in operands)
    call.fail_if(not is_list or len(set(result)) != len(result), "the equation is no list of labels, or repeats one")
    hidden = [len(x.shape) - len(labels) + 1 for x, labels in zip(call.operands, operands) if "." in labels]
    digits = "0123456789@#$%&*"[: max(hidden, default=0)]
    call.opaque_if(len(set(hidden)) > 1, "an ellipsis of several lengths")
    operands = [labels.replace(".", digits) for labels in operands]
    call.fail_if([len(x) for x in operands] != [len(x.shape) for x in call.operands], "labels do not fit the operands")
    extents = {label: n for labels, x in zip(operands, call.operands) for label, n in zip(labels, x.shape)}
    met = [tuple(extents[label] for label in labels) for labels in operands]
    call.opaque_if(met != [tuple(x.shape) for x in call.operands], "a label stands for two extents")
    call.opaque_if(0 in extents.values(), "of an empty operand; runtimes differ, or fail")
    return operands, result.replace(".", digits), extents

def _summed(ring, x, labels, kept):
    """With diagonals (their axis comes last) where a label repeats, and summed over labels that nobody else has."""
    for label in [c for i, c in enumerate(labels) if c in labels[:i]]:
        first, second = labels.index(label), labels.rindex(label)
        x = ring.move(x, lambda a, i=first + 1, j=second + 1: a.diagonal(0, i, j), "diagonal", first, second)
        labels = labels[:first] + labels[first + 1 : second] + labels[second + 1 :] + label
    axes = [i for i, label in enumerate(labels) if label not in kept]
    if axes:
        x = ring.sum(x, axes)
        x = ring.reshape(x, [n for i, n in enumerate(x.shape) if i not in axes])
    return x, "".join(label for label in labels if label in kept)

@operator("Einsum", tensors=(1, 2**31), attributes={"equation": TEXT}, since=12,
          moves=lambda call: [set(labels) for labels in _labels(call)[0]] == [set(_labels(call)[1])])
def _einsum(call, ring, *operands):
    """The sum of products as one product of matrices for every choice of the labels that both and the result have."""
    given, result, extents = _labels(call)
    others = [set(result).union(*given[:i], *given[i + 1 :]) for i in range(len(given))]
    parts = [_summed(ring, x, labels, kept) for x, labels, kept in zip(operands, given, others)]
    (x, labels) = parts[0]
    if len(parts) == 2:
        (y, right) = parts[1]
        both = [c for c in labels if c in right and c in result]
        inner = [c for c in labels if c in right and c not in result]
        rows, columns = ([c for c in own if c not in other] for own, other in ((labels, right), (right, labels)))
        number, depth, m, n = (math.prod(extents[c] for c in group) for group in (both, inner, rows, columns))
        x = ring.transpose(x, [labels.index(c) for c in both + rows + inner])
        y = ring.transpose(y, [right.index(c) for c in both + inner + columns])
        x = ring.matmul(ring.reshape(x, (number, m, depth)), ring.reshape(y, (number, depth, n)))
        labels = both + rows + columns
        x = ring.reshape(x, [extents[c] for c in labels])
    return ring.transpose(x, [labels.index(c) for c in result])
