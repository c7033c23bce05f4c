"""Operators that yield truth values: false is 0 and true is 1."""
import numpy as np
from checker.functions import element_function
from checker.kinds_of_numbers import FINITE
from checker.table import operator

INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64")
NUMBERS = ("float", *INTEGERS, "bool")  # elements that meanings speak of

def truth_function(name, says):
    element_function(name, lambda p, row, *x: np.where(says(*x), 1, 0), at_infinity=FINITE, of_integers=True)

def comparison(name, function, is_reversed=False, since=1, of=NUMBERS[:-1]):
    """Of two operands of one type, broadcast; what is larger the one way is smaller the other way."""
    def compared(call):
        call.opaque_if(call.type(0) != call.type(1) or call.type(0) not in of, "not defined for operands of these types")
        return "bool"
    @operator(name, (2, 2), since=since, element_type=compared)
    def define(call, ring, a, b):
        call.broadcast(a.shape, b.shape)
        return ring.apply(function, (), [b, a] if is_reversed else [a, b])

def logic(name, function, number=2):
    """Of truth values alone, broadcast."""
    def said(call):
        call.opaque_if(any(call.type(i) != "bool" for i in range(number)), "of something else than truth values")
        return "bool"
    @operator(name, (number, number), element_type=said)
    def define(call, ring, *operands):
        call.broadcast(*(x.shape for x in operands))
        return ring.apply(function, (), [*operands])
