"""Range of known integers."""
from checker.integers import MOST_ELEMENTS, integer_operator, result

@integer_operator("Range", 3)
def _range(call, *operands):
    types, sizes = {x.type for x in operands}, {x.elements.size for x in operands}
    call.opaque_if(len(types) != 1 or types == {"bool"} or sizes != {1}, "a range between no single integers")
    start, limit, delta = (int(x.elements.reshape(-1)[0]) for x in operands)
    call.opaque_if(delta == 0 or max(map(abs, (start, limit, delta))) > 2**50, "a step of 0, or enormous numbers")
    values = range(start, limit, delta)[: MOST_ELEMENTS + 1]
    return result(operands[0].type, values, (len(values),))
