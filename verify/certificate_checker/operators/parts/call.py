"""A node as its operator sees it: what its form says, read and checked."""
from fractions import Fraction
import numpy as np
from checker.refusals import meaningless_if, shown, unreadable_if

_LARGEST = 2**31  # of attributes that count elements
_MOST_PIECES = 256  # in which an operand is read; what reads more has no meaning

class Call:
    """Attributes, and of operands shape, type and known integers. `operands` hold None where one is left out."""
    def __init__(self, node, opset, attributes, operands):
        self.op_type, self.opset, self.attributes, self.operands = node.op_type, opset, attributes, operands
        named = [i + 1 for i, name in enumerate(node.output) if name or node.op_type == "Split"]
        self.outputs = max(named, default=0)  # how many results anybody names
        self.memo = {}  # of definitions that are asked more than once
    def fail_if(self, fails, why):
        unreadable_if(fails, f"{self.op_type}: {why}")
    def opaque_if(self, fails, why):
        meaningless_if(fails, f"{self.op_type}: {why}")
    def get(self, name, default=None):
        return self.attributes.get(name, default)
    def has(self, operand):
        return operand < len(self.operands) and self.operands[operand] is not None
    def type(self, operand=0):
        return self.operands[operand].type
    def shape(self, operand=0):
        return self.operands[operand].shape
    def known(self, operand, what):
        """An array of integers that are known."""
        self.fail_if(not self.has(operand), f"operand {operand} ({what}) is missing")
        value = self.operands[operand]
        self.opaque_if(not value.is_known or value.type == "bool", f"{what} is no constant of integers")
        return value.stored.elements
    def number(self, operand):
        """The exact number that an operand is to every proof, if it is one: a constant of one element."""
        leaf = self.operands[operand].leaf if self.has(operand) else None
        is_one = leaf is not None and leaf.kind == "exact" and leaf.stored.is_float and leaf.stored.elements.size == 1
        return Fraction(float(leaf.stored.elements.reshape(-1)[0])) if is_one else None
    def integers(self, operand, what, types=("int64",)):
        found = self.known(operand, what)
        self.opaque_if(found.ndim != 1 or self.operands[operand].type not in types, f"{what} is no list of that type")
        return found.tolist()
    def integer(self, operand, what):
        """A single number, alone or as a list of one."""
        found = self.known(operand, what)
        self.opaque_if(found.size != 1 or found.ndim > 1, f"{what} is no single number")
        return int(found.reshape(-1)[0])
    def list_by_opset(self, name, operand, since):
        """A list that is an operand from operator set `since` on and was an attribute before."""
        is_wrong = name in self.attributes if self.opset >= since else self.has(operand)
        self.fail_if(is_wrong, f"{name} is an operand from operator set {since} on, an attribute before")
        return self.integers(operand, name) if self.has(operand) else self.get(name)
    def axis(self, value, rank=None):
        rank = len(self.shape()) if rank is None else rank
        self.fail_if(not -rank <= value < rank, f"no axis {value} in rank {rank}")
        return value % rank
    def axes(self, values, rank=None):
        out = [self.axis(value, rank) for value in values]
        self.opaque_if(len(set(out)) != len(out), "an axis is named twice")
        return out
    def counts(self, name, size, default, least):
        """A list of extents: strides, dilations, pads."""
        values = self.get(name) or [default] * size
        fits = len(values) == size and all(least <= x <= _LARGEST for x in values)
        self.fail_if(not fits, f"attribute {shown(name)} is {values[:8]}")
        return values
    def broadcast(self, *shapes):
        try:
            return np.broadcast_shapes(*shapes)
        except ValueError:
            self.fail_if(True, f"{' and '.join(str(list(shape)) for shape in shapes)} do not broadcast")
    def limit_pieces(self, by_axis):
        """How many pieces an operand is read in, axis by axis."""
        number = 1
        for pieces in by_axis:
            number *= pieces
            self.opaque_if(number > _MOST_PIECES, "reads too many pieces of its operand")
