"""How operators are defined and looked up."""
from typing import Callable, NamedTuple
from .refusals import meaningless_if, shown, unreadable_if

_TABLE = {}

INTEGER, INTEGERS, REAL, TEXT, FLAG = int, list, float, str, bool  # a flag is the integer 0 or 1

class Operator(NamedTuple):
    """`define(call, ring, *tensors)` yields a tensor, or a list of them."""
    name: str
    define: Callable
    tensors: tuple  # the least and the largest number of operands that are tensors
    integers: int  # how many operands of known numbers may follow
    attributes: dict  # kind by name
    moves: Callable  # of a call: it only moves elements: of any type, infinite ones too
    since: int  # operator set
    element_type: Callable  # of a call: what elements the results are of
    def results(self, call, ring, tensors):
        found = self.define(call, ring, *tensors)
        return found if isinstance(found, list) else [found]
    def type_of(self, call):
        """What elements the results are of."""
        if self.element_type is not None:
            return self.element_type(call)
        type_name, *others = dict.fromkeys(operand.type for operand in call.operands[: self.tensors[1]] if operand is not None)
        meaningless_if(others, "operands of different types")
        meaningless_if(type_name != "float" and not self.moves(call), "defined for floats only")
        return type_name
    def check(self, call):
        """Whether the call has a form that is defined."""
        least, most = self.tensors
        unreadable_if(len(call.operands) > most + self.integers, f"{len(call.operands)} operands")
        is_complete = len(call.operands) >= least and None not in call.operands[:least]
        unreadable_if(not is_complete, f"operand {least} of {call.op_type} is missing")
        meaningless_if(call.opset < self.since, "not in this operator set")
        for name, value in call.attributes.items():
            kind = self.attributes.get(name)
            meaningless_if(kind is None, f"attribute {shown(name)} is not interpreted")
            unreadable_if(type(value) is not (INTEGER if kind is FLAG else kind), f"attribute {shown(name)} is of another type")
            meaningless_if(kind is FLAG and value not in (0, 1), f"attribute {shown(name)} is neither 0 nor 1")

def operator(name, tensors=(1, 1), integers=0, attributes=(), moves=False, since=1, element_type=None):
    """Registers the meaning of an operator of the default domain: of floats, or what it moves, unless `element_type` says
    otherwise (truth values are the numbers 0 and 1, integers themselves)."""
    def register(define):
        decides = moves if callable(moves) else lambda call: moves
        _TABLE[name] = Operator(name, define, tensors, integers, dict(attributes), decides, since, element_type)
        return define
    return register

find = _TABLE.get
