"""Evidence by places: values of the second program that are values of the first, shown one after another.

A value of the second program is one of the first's if it is the same expression of such values (`Numbering`), or if a pair of the
certificate says so and both are one sum of products of what is shown already (`Thin`). The evidence of a pair thus reaches no
further than to what stands before it in the order of the second program."""
from typing import NamedTuple
from . import digests
from .refusals import refused_if, shown
from .rings.numbering import Numbering
from .rings.ring import Tensor
from .rings.thin import Thin

_OBLIGATION = "places"

class Shown(NamedTuple):
    """What functions are applied to in both programs, and the nodes without a meaning: by digests that both share."""
    first: Numbering
    second: Numbering

class _Numbered:
    """One program's values by their digests."""
    def __init__(self, pair, program, *shared):
        self.pair, self.program, self.ring = pair, program, Numbering(*shared)
        self.of, self.is_partial = {}, {}  # by name: digest; whether it follows from what is not defined everywhere
    def run(self, visit):
        def leaf(name, value):
            is_program = value.leaf.kind == "program"
            made = self.pair.weights.run(value.leaf.stored, self.ring, leaf) if is_program else self.ring.taken(value)
            if value.leaf.kind == "input":
                self.ring.varying.add(made.structure)
            if self.program.values.get(name) is value:
                self.of[name] = made.structure
            return made
        def seen(step, name, made):
            self.is_partial[name] = self.ring.is_partial or any(self.is_partial.get(read) for read in step.reads)
            if name == [output for output in step.outputs if output][-1]:
                self.ring.is_partial = False
            if isinstance(made, Tensor):
                self.of[name] = made.structure
                visit(name, made)
        self.results = self.program.run(self.ring, leaf, visit=seen)
    def given(self, values):
        """By name what is one of those values (by digest) with its axes in some order: its digest, and that order."""
        out = {}
        for name, digest in self.of.items():
            base, order = self.ring.orders.get(digest, (None, None))
            if digest in values:
                out[name] = digest, None
            elif order is not None and base.structure in values:
                out[name] = base.structure, order
        return out

def shown_equal(pair, pairs, key, primes):
    """Refuses what is not shown; `pairs`: of the certificate."""
    shared = {}, set()
    first, second = (_Numbered(pair, program, *shared) for program in (pair.program_a, pair.program_b))
    first.run(lambda name, made: None)
    pending = list(pairs)[::-1]
    def visit(name, made):
        if pending and pending[-1]["b"] == name:
            told = pending.pop()
            made.structure = second.of[name] = _checked(told, first, second, made, derived(len(pending)), primes)
    def derived(number):
        return digests.derived("place", key, digests.number(number))
    second.run(visit)
    left = pending[-1]["b"] if pending else ""
    refused_if(pending, _OBLIGATION, f"{shown(left)} is no value of the second file, or stands after one that follows it")
    for mine, theirs in zip(pair.program_a.outputs, pair.program_b.outputs):
        a, b = first.results[mine], second.results[theirs]
        is_same = type(a) is type(b) and (a.structure == b.structure if isinstance(a, Tensor) else a == b)
        refused_if(not is_same, "equality", f"output {shown(theirs)} is not shown to be {shown(mine)}")
    return Shown(first.ring, second.ring)

def _checked(told, first, second, made, key, primes):
    """The digest of the value of the first program that this one of the second turns out to be."""
    a, b, order = told["a"], told["b"], told["order"]
    where = f"{shown(b)} of the second file"
    for name in (a, *told["from"]):
        refused_if(name not in first.of, _OBLIGATION, f"{where}: {shown(name)} is no tensor that the first file computes with")
    value, other = first.program.values[a], second.program.values[b]
    order = range(len(value.shape)) if order is None else order
    fits = sorted(order) == [*range(len(value.shape))] and tuple(value.shape[i] for i in order) == tuple(other.shape)
    refused_if(not fits or value.type != other.type, _OBLIGATION, f"{where}: another type, or another shape, than {shown(a)}")
    wanted = first.ring.transpose(Tensor(first.ring.taken(value).array, value.size, first.of[a]), order)
    if made.structure == wanted.structure:
        return wanted.structure
    values = {first.of[name]: name for name in told["from"]}
    ring, read = Thin(key, primes), set()  # of the second file's piece
    def run(side, name, read):
        given = side.given(values)
        def leaf(met, value):
            if met not in given or side.program.values.get(met) is not value:
                return side.pair.leaf_in(ring)(met, value)
            digest, moved = given[met]
            read.add(digest)
            made = ring.free(digest, first.program.values[values[digest]].shape)
            return made if moved is None else ring.transpose(made, moved)
        return side.program.run(ring, leaf, wanted=[name], given=given)[name]
    def both():
        return run(first, a, set()), run(second, b, read)
    one, same = both()
    ring.decide([[one.axes[i] for i in order], same.axes])
    for digest in read:
        is_refused = first.is_partial.get(values[digest]) and digest not in one.whole
        what = "the first does not read all of it, which is not defined everywhere"
        refused_if(is_refused, "domain", f"{where} reads {shown(values[digest])}: {what}")
    one, same = both()
    is_equal = (one.array.transpose(0, *(i + 1 for i in order)) == same.array).all()
    refused_if(not is_equal, _OBLIGATION, f"{where} is not {shown(a)} of the first")
    return wanted.structure

def check_domain(shown_):
    """Demand 5 of functions that are not defined everywhere and of nodes without a meaning."""
    first, second = shown_
    known = {applied.key for applied in first.arguments}
    for applied in second.arguments:
        is_known = applied.is_total or applied.key in known
        refused_if(not is_known, "domain", f"the second file applies {applied.of} where the first does not")
    for digest, label in second.opaque_nodes.items():
        refused_if(digest not in first.opaque_nodes, "domain", f"{label} of the second file is not in the first")
