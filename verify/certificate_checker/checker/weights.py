"""Weight programs: how constants of the second file follow from those of the first, correctly rounded."""
from fractions import Fraction
import numpy as np
from .files import ProgramsFile
from .programs import Program, Value
from .refusals import refused_if, shown
from .rings.enclosures import Enclosures, lanes
from .tensors import Declared

_OBLIGATION, _READ, _MOST_UNCLEAR = "weight programs", 2**16, 2**20  # _READ: an operand, in products
_SMALLEST_NORMAL, _BEYOND = 2.0**-126, 2.0**128  # the largest float has a next one, too

def _digest(name, what):
    is_digest = len(name) == 64 and not set(name) - set("0123456789abcdef")
    refused_if(not is_digest, _OBLIGATION, f"{what} {shown(name)} is no digest of a tensor")
    return bytes.fromhex(name)

class WeightPrograms:
    """`constants`: of the first file, by digest; `leaf`: how one is taken; `is_copy`: only what they name counts."""
    def __init__(self, text, constants, leaf, constant, is_copy=False):
        graph = (file := ProgramsFile(text)).model.graph
        outputs = [value.name for value in graph.output]
        self.names = {_digest(name.removesuffix("'"), "a result"): name for name in outputs}
        refused_if(len(self.names) != len(outputs), _OBLIGATION, "a constant has two programs")
        self.program = None
        if is_copy:
            return
        inputs = {}
        for value in graph.input:
            stored = constants.get(_digest(value.name, "an operand"))
            is_known = stored is not None and stored.is_float
            refused_if(not is_known, _OBLIGATION, f"{shown(value.name)} is no constant of the first file")
            is_wrong = value.name in inputs or Declared(value, file.path).contradicts(stored.type, stored.shape)
            refused_if(is_wrong, _OBLIGATION, f"operand {shown(value.name)} stands twice or is wrong")
            taken, made = leaf(stored)
            inputs[value.name] = Value(stored.type, stored.shape, made.note, taken, made.structure, is_constant=True)
        refused_if(any(p.name in inputs for p in graph.initializer), _OBLIGATION, "an operand has a value of its own")
        self.program = Program(file, inputs, constant)
        self.operands = set(inputs)
        is_known = not self.program.opaque and all(self.program.values[name].type == "float" for name in outputs)
        is_known = is_known and all(stored.is_finite for stored in self.program.constants())
        refused_if(not is_known, _OBLIGATION, "a result has no meaning, or an operand is no finite number")
    def value(self, stored):
        return self.program.values[self.names[stored.digest]]
    def yields(self, stored):
        """Whether a constant is explained; it must then have the program's shape."""
        if stored.digest not in self.names:
            return False
        fits = not self.program or stored.is_float and self.value(stored).shape == stored.shape
        refused_if(not fits, _OBLIGATION, f"the program of {stored.digest.hex()} has another shape")
        return True
    def work(self, stored):
        return sum(step.work + _READ * len(step.reads) for step in self.program.steps_for([self.names[stored.digest]]))
    def run(self, stored, ring, leaf):
        name = self.names[stored.digest]
        return self.program.run(ring, leaf, wanted=[name])[name]
    def check_rounding(self, stored, is_weightless):
        """Demand 4 for one constant; `is_weightless` marks elements that contain no constant of the first file."""
        values, ring = stored.elements.reshape(-1), Enclosures()
        refused_if(not stored.is_finite, "rounding", f"constant {stored.digest.hex()} is not finite")
        x = self.run(stored, ring, lambda name, value: ring.leaf("exact", name, value.leaf.stored, value.shape))
        numbers = x.array.reshape(len(x.array), -1)
        moves = all(step.moves for step in self.program.steps_for([self.names[stored.digest]]))
        unclear = np.flatnonzero(~_is_clear(values, numbers, x.note, is_weightless, moves))
        refused_if(len(unclear) > _MOST_UNCLEAR, "rounding", f"{len(unclear)} elements of a constant are undecided by doubles")
        for i in unclear:
            *middle, radius = map(Fraction, lanes(numbers[:, i : i + 1])[:, 0].tolist())
            bounds = [(sum(middle) + to) / x.note for to in (-radius, radius)]
            is_kept = moves and np.signbit(numbers[0, i])
            what = "contains no weight and is no float" if is_weightless[i] else "is rounded otherwise, or undecided"
            is_right = _is_right(values[i], *bounds, is_weightless[i], is_kept)
            refused_if(not is_right, "rounding", f"constant {stored.digest.hex()}: element {i}, {values[i]!r}, {what}")

def _is_right(value, low, high, is_weightless, is_kept):
    """Whether a float is the nearest one, and within 2^-24, of all between these bounds; an exact one where there is no weight."""
    exact, is_even = Fraction(float(value)), value.view(np.uint32) % 2 == 0
    if low == high == exact:
        return value != 0 or bool(np.signbit(value)) == is_kept
    ends = [max(-_BEYOND, min(_BEYOND, float(np.nextafter(value, np.float32(to))))) for to in (-np.inf, np.inf)]
    below, above = ((exact + Fraction(end)) / 2 for end in ends)
    is_nearest = below < low and high < above or is_even and below <= low and high <= above
    return is_nearest and not is_weightless and low * high > 0 and all(abs(exact - x) <= abs(x) / 2**24 for x in (low, high))

def _is_clear(values, numbers, divisor, is_weightless, moves):
    """The same of all elements at once, where that takes no more than doubles: of most, as of ties and of what is exact."""
    if divisor >= 2**500 or divisor // (divisor & -divisor) >= 2**29:
        return np.zeros(len(values), bool)
    wide, radius = values.astype(np.float64), np.abs(numbers[1:]).sum(axis=0)
    away = np.abs(numbers[0] - wide * divisor)  # exact, as the product is, of what is near
    gap = np.abs(wide - np.nextafter(values, np.float32(0))) * (0.5 * divisor)  # no larger on the other side
    is_nearest = (away + radius * 1.001 < gap * (1 - 2.0**-50)) | (away <= gap) & (radius == 0) & (values.view(np.uint32) % 2 == 0)
    is_equal = (away == 0) & (radius == 0) & ((values != 0) | (np.signbit(values) == (np.signbit(numbers[0]) & moves)))
    return is_equal | is_nearest & ~is_weightless & (np.abs(values) > _SMALLEST_NORMAL)
