"""Weight programs: how constants of the second file follow from those of the first, correctly rounded."""
import numpy as np
from .files import ProgramsFile
from .programs import Program, Value
from .refusals import Refused, refused_if, shown
from .rings.enclosures import Enclosures, Rough, sign
from .tensors import Declared

_OBLIGATION, _SMALLEST_NORMAL, _READ = "weight programs", 2.0**-126, 2**16  # _READ: an operand, in products

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
        where, values = f"constant {stored.digest.hex()}", stored.elements.reshape(-1)
        refused_if(not stored.is_finite, "rounding", f"{where} is not finite")
        def within(ring):
            return self.run(stored, ring, lambda name, value: ring.leaf("exact", name, value.leaf.stored, value.shape))
        left = np.flatnonzero(is_weightless | ~_is_clear(values, within(Rough())))  # most are far from the middle between floats
        if not len(left):
            return
        exact = within(Enclosures())
        is_kept = np.signbit(exact.array[0]).reshape(-1) & all(s.moves for s in self.program.steps_for([self.names[stored.digest]]))
        is_right = _is_right(values[left], exact.array.reshape(3, -1)[:, left], exact.note, is_weightless[left], is_kept[left])
        for i in left[~is_right][:1]:
            what = "contains no weight and is no float" if is_weightless[i] else "is rounded otherwise, or undecided"
            raise Refused("rounding", f"{where}: element {i}, {values[i]!r}, {what}")

def _is_clear(values, x):
    """Whether one long double tells that a float is the nearest, which is then near enough."""
    if x.note >= 2**39:
        return np.zeros(len(values), bool)
    value, open_ = x.array[0].reshape(-1), (np.abs(x.array[1]) + x.array[2]).reshape(-1)
    least = values * np.longdouble(x.note)  # exact, and so is the difference to what is near
    gap = np.abs(values - np.nextafter(values, np.where(value > least, np.inf, -np.inf).astype(np.float32))) * np.longdouble(0.5 * x.note)
    away = np.abs(value - least)
    is_nearest = (away + open_ * 1.001 < gap * (1 - np.longdouble(2.0) ** -50)) | (away <= gap) & (open_ == 0) & (values.view(np.uint32) % 2 == 0)
    return is_nearest & np.isfinite(gap) & (np.abs(values) >= _SMALLEST_NORMAL)

def _is_right(values, exact, divisor, is_weightless, is_kept):
    """Element by element: the nearest float, and within 2^-24 of exact / divisor; False where that is open; -0 where kept."""
    wide, limit = values.astype(np.longdouble), np.longdouble(2.0) ** 128  # the largest float has a next one, too
    above, below = (np.clip(np.nextafter(values, np.float32(end)).astype(np.longdouble), -limit, limit)
                    for end in (np.inf, -np.inf))
    is_even = values.view(np.uint32) % 2 == 0
    over, under = (sign(exact, divisor, wide + (end - wide) / 2) for end in (above, below))
    is_nearest = ((over == -1) | (over == 0) & is_even) & ((under == 1) | (under == 0) & is_even)
    # |value - exact| <= 2^-24 |exact|, both of one sign; every nearest float is that, unless it is 0 or too small
    share = np.longdouble(2.0) ** -24
    larger, smaller = (sign(exact, divisor, wide, factor) * np.sign(wide) for factor in (1 + share, 1 - share))
    is_near = (np.abs(wide) >= _SMALLEST_NORMAL) | ((larger >= 0) & (larger != 2) & (smaller <= 0) & (smaller != -2))
    is_equal = sign(exact, divisor, wide) == 0
    return np.where(values == 0, is_equal & (is_kept == np.signbit(values)), is_equal | ~is_weightless & is_nearest & is_near)
