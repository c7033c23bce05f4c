"""Which values may be infinite, or no number, because a constant of a file is: masks that are added before a Softmax.

A proof speaks of real numbers, where 2w - w is w; where w is infinite it is none. So what computes with such a value has no
meaning: it may be moved, and it may be the argument of an element function. What a node that has no meaning for that reason
makes is found by the same definition, `lenient`: a mask added to finite numbers is infinite in places, and no worse."""
from .. import functions
from ..kinds_of_numbers import FINITE, INFINITE, NO_NUMBER
from ..refusals import meaningless_if
from .ring import Tensor
from .sizes import Sizes

_COMPUTED = ("add", "scale", "multiply", "sum", "product", "convolve")  # everything else moves elements, or applies a function

class Infinities(Sizes):
    """`structure` says of a tensor what it may hold."""
    def __init__(self, is_lenient=False):
        super().__init__()
        self._is_lenient = is_lenient
    def made(self, how, operands, shape, note, *cost, **costs):
        made = super().made(how, (), shape, note, *cost, **costs)
        return Tensor(made.array, note, self._numbers(how, [x.structure for x in operands]))
    def taken(self, value):
        made = super().taken(value)
        return Tensor(made.array, made.note, value.numbers)
    def _numbers(self, how, kinds):
        what, *parts = (how,) if isinstance(how, str) else how
        worst = max(kinds, default=FINITE)
        if what == "apply" and worst == INFINITE:
            return functions.of(parts[0]).at_infinity
        if worst == FINITE or what not in _COMPUTED or how == ("sum",):  # over no axis
            return worst
        meaningless_if(not self._is_lenient, "an operand may be infinite, or no number, by a constant of the file")
        is_scaled = what == "scale" and parts[0] == () and parts[1] != [0]
        # Infinity times 0, and two of them with different signs, are no number.
        return worst if is_scaled or what == "add" and FINITE in kinds else NO_NUMBER
