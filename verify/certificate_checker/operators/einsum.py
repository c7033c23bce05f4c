"""Einsum, of at most two operands."""
import math
from checker.table import TEXT, operator

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
