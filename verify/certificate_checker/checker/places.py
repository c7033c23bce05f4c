"""Evidence by places: values of the second program that are values of the first, shown one after another.

A value of the second program is one of the first's if it is the same expression of such values (`Numbering`), or if a pair of the
certificate says so and both are one sum of products of what is shown already (`Thin`). The evidence of a pair thus reaches no
further than to what stands before it in the order of the second program."""
from . import digests
from .refusals import refused_if, shown
from .rings.numbering import Numbering
from .rings.ring import Tensor
from .rings.thin import Thin

class _Numbered:
    """One program's values by their digests."""
    def __init__(self, pair, program, *shared):
        self.pair, self.program, self.ring = pair, program, Numbering(*shared)
        self.of, self.is_partial = {}, {}  # by name: digest; whether it follows from what is not defined everywhere
    def run(self, visit=lambda name, made: None):
        def leaf(name, value):
            is_program = value.leaf.kind == "program"
            made = self.pair.weights.run(value.leaf.stored, self.ring, leaf) if is_program else self.ring.taken(value)
            self.ring.varying.update([made.structure] if value.leaf.kind == "input" else [])
            if self.program.values.get(name) is value:
                self.of[name] = made.structure
            return made
        def seen(step, name, made):
            self.is_partial[name] = self.ring.is_partial or any(self.is_partial.get(read) for read in step.reads)
            self.ring.is_partial &= name != [output for output in step.outputs if output][-1]
            if isinstance(made, Tensor):
                self.of[name] = made.structure
                visit(name, made)
        self.results = self.program.run(self.ring, leaf, visit=seen)
    def piece(self, name, ring, values):
        """A value, in that ring, of others of the first program (by digest), wherever they stand here, with axes in any order;
        and which of these it reads."""
        bases = {met: (digest, None) if digest in values else self.ring.orders.get(digest) for met, digest in self.of.items()}
        found = {met: (getattr(base[0], "structure", base[0]), base[1]) for met, base in bases.items() if base}
        given, read = {met: base for met, base in found.items() if base[0] in values}, set()
        def leaf(met, value):
            if met not in given or self.program.values.get(met) is not value:
                return self.pair.leaf_in(ring)(met, value)
            digest, order = given[met]
            read.add(digest)
            made = ring.free(digest, values[digest].shape)
            return made if order is None else ring.transpose(made, order)
        return self.program.run(ring, leaf, wanted=[name], given=given)[name], read

def shown_equal(pair, pairs, key, primes):
    """Refuses what is not shown by these pairs of the certificate. What functions are applied to in both programs, by digests
    that both share, and the nodes without a meaning."""
    shared = {}, set()
    first, second = (_Numbered(pair, program, *shared) for program in (pair.program_a, pair.program_b))
    first.run()
    pending = list(pairs)[::-1]
    def visit(name, made):
        if pending and pending[-1]["b"] == name:
            its_key = digests.derived("place", key, digests.number(len(pending)))
            made.structure = second.of[name] = _checked(pending.pop(), first, second, made, Thin(its_key, primes))
    second.run(visit)
    left = pending[-1]["b"] if pending else ""
    refused_if(pending, "places", f"{shown(left)} is no value of the second file, or stands after one that follows it")
    for mine, theirs in zip(pair.program_a.outputs, pair.program_b.outputs):
        a, b = (getattr(side.results[name], "structure", side.results[name]) for side, name in ((first, mine), (second, theirs)))
        refused_if(a != b, "equality", f"output {shown(theirs)} is not shown to be {shown(mine)}")
    return first.ring, second.ring

def _checked(told, first, second, made, ring):
    """The digest of the value of the first program that this one of the second turns out to be."""
    a, b, order, where = told["a"], told["b"], told["order"], f"{shown(told['b'])} of the second file"
    for name in (a, *told["from"]):
        is_known = first.of.get(name) in first.ring.varying  # of constants the degrees that the bound counts are none
        refused_if(not is_known, "places", f"{where}: {shown(name)} is no value of the first file that inputs lead to")
    value, other = first.program.values[a], second.program.values[b]
    order = range(len(value.shape)) if order is None else order
    fits = sorted(order) == [*range(len(value.shape))] and tuple(value.shape[i] for i in order) == tuple(other.shape)
    refused_if(not fits or value.type != other.type, "places", f"{where}: another type, or another shape, than {shown(a)}")
    wanted = first.ring.transpose(Tensor(first.ring.taken(value).array, value.size, first.of[a]), order).structure
    if made.structure == wanted:
        return wanted
    values, names = ({first.of[name]: of(name) for name in told["from"]} for of in (first.program.values.get, str))
    def both():
        return first.piece(a, ring, values)[0], *second.piece(b, ring, values)
    one, same, read = both()
    for digest in read:
        is_refused = first.is_partial.get(names[digest]) and digest not in one.whole
        what = "the first does not read all of it, which is not defined everywhere"
        refused_if(is_refused, "domain", f"{where} reads {shown(names[digest])}: {what}")
    ring.decide([[one.axes[i] for i in order], same.axes])
    one, same, _ = both()
    is_equal = (one.array.transpose(0, *(i + 1 for i in order)) == same.array).all()
    refused_if(not is_equal, "places", f"{where} is not {shown(a)} of the first")
    return wanted
