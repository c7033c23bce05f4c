"""The demands of the README, one by one."""
import numpy as np
from . import digests, primes
from .operators import functions
from .programs import Opaque
from .refusals import NoMeaning, Refused, refused_if, shown, unreadable_if
from .rings.numbers import Magnitudes, Rounded
from .rings.residues import Residues
from .rings.ring import Tensor

_WORST_ERROR, _TOLERANCE, _SLACK = -64.0, 1e-9, 8.0  # slack: by how much its bound may be better than ours
_LARGEST_GROWTH = 2.0**16
_MOST_WORK, _MOST_FOLDING, _MOST_MEMORY = 2**40, 2**33, 2**33  # products under all primes; of weight programs; bytes

def demand(obligation, holds, detail):
    refused_if(not holds, obligation, detail)

def expected(pair, sizes, evidence, info):
    """The certificate that there should be; `evidence` and `info` are the writer's."""
    a, b, first = pair.a, pair.b, pair.program_a
    inputs = [_described(name, type_name, shape) for name, (type_name, shape, _) in inputs_of(first).items()]
    values = [(name, first.values[name]) for name in first.outputs]
    totals = [(name, None if value.shape is None else value.elements) for name, value in values]
    claims = [{"name": name, "verdict": "equivalent", "total": total, "equal": total} for name, total in totals]
    match = "by-name" if first.outputs == pair.program_b.outputs else "by-position"
    results = [result_of(first, name, name) for name in first.outputs]
    text = b.file.weight_programs
    return {
        "format": "pet-certificate/1",
        "a": _file(a, pair.role_of_a),
        "b": _file(b, pair.role_of_b),
        "sizes": {**a.open_sizes(sizes), **b.open_sizes(sizes)},
        "interface": {"outputs": match, "inputs": inputs, "results": results},
        "semantics": {"arithmetic": "reals", "weights": "bound" if pair.is_bound else "symbols"},
        "weight_programs": None if text is None else digests.of_bytes(text.encode("utf-8", "surrogateescape")),
        "claim": {"verdict": "equivalent", "outputs": claims},
        "evidence": evidence,
        "info": info,
    }

def _file(side, role):
    found = []
    for name, stored in side.constants.items():
        its_role = "input" if name in side.overridable else role(stored)
        found.append({**_described(name, stored.type, stored.shape), "digest": stored.digest.hex(), "role": its_role})
    return {"file": side.file.digest, "external": side.external, "tensors": found}

def inputs_of(program):
    """By name: type, shape and default."""
    leaves = [(name, value) for name, value in program.values.items() if value.leaf and value.leaf.kind == "input"]
    return {n: (v.type, v.shape, v.leaf.stored and v.leaf.stored.digest.hex()) for n, v in leaves}

def _described(name, type_name, shape):
    return {"name": name, "type": type_name or "undefined", "shape": None if shape is None else list(shape)}

def result_of(program, name, shown_as):
    return _described(shown_as, program.values[name].type, program.values[name].shape)

def check_interface(pair):
    first, second = pair.program_a, pair.program_b
    mine, theirs = inputs_of(first), inputs_of(second)
    demand("interface", mine.keys() == theirs.keys(), "the inputs have other names")
    for name in mine:
        demand("interface", mine[name] == theirs[name], f"input {shown(name)}: {mine[name]} and {theirs[name]}")
    demand("interface", len(first.outputs) == len(second.outputs), "the outputs do not correspond")
    for name, other in zip(first.outputs, second.outputs):
        types = result_of(first, name, name), result_of(second, other, name)
        is_same = types[0] == types[1] and pair.a.declared_output(name) == pair.b.declared_output(other)
        demand("interface", is_same, f"output {shown(name)} differs: {types[0]} and {types[1]}")

def check_rounding(pair, seed):
    """Each constant that a weight program yields is that program's value, correctly rounded."""
    def symbol_leaf(ring):
        def leaf(name, value):
            kind = "symbol" if name in pair.weights.operands else value.leaf.kind
            return ring.leaf(kind, name, value.leaf.stored, value.shape)
        return leaf
    keys = [digests.derived("weightless", seed, digests.number(draw)) for draw in range(2)]
    draws = [Residues(key, primes.drawn(seed, 2)) for key in keys]
    for stored in {stored.digest: stored for stored in pair.folded()}.values():
        try:
            first, second = (pair.weights.run(stored, r, symbol_leaf(r)).array for r in draws)
            pair.weights.check_rounding(stored, (first == second).all(axis=0).reshape(-1))
        except NoMeaning as error:
            raise Refused("rounding", f"constant {stored.digest.hex()}: {error}") from None

def check_finite(pair):
    """What either file computes from constants alone is finite."""
    ring = Rounded()
    def leaf(name, value):
        return None if value.stored is None else ring.leaf("exact", name, value.stored, value.shape)
    for program, side in ((pair.program_a, pair.a), (pair.program_b, pair.b)):
        def visit(step, name, result):
            rounded = result.array.astype(np.float32)
            is_finite = step.moves or np.isfinite(rounded).all()
            demand("finite", is_finite, f"{side.path}: {step.label}: {shown(name)}, of constants, is not finite")
            result.array = rounded.astype(np.float64)
        program.run(ring, leaf, constants_only=True, visit=visit)

def evaluated(pair, program, seed, primes_):
    """One of both programs under a seed: the ring, and the outputs by name."""
    ring = Residues(seed, primes_)
    return ring, program.run(ring, pair.leaf_in(ring))

def check_equality(pair, first, second):
    for mine, theirs in zip(pair.program_a.outputs, pair.program_b.outputs):
        a, b = first[mine], second[theirs]
        if isinstance(a, Opaque) or isinstance(b, Opaque):  # the one is never equal to a tensor
            demand("equality", a == b, f"output {shown(mine)} comes from different nodes")
            continue
        wrong = np.flatnonzero((a.array != b.array).any(axis=0))
        what = f"differs at {len(wrong)} of {a.array[0].size} elements, from number {wrong[:1]} on"
        demand("equality", not len(wrong), f"output {shown(mine)} {what}")

class Arguments:
    """What the first program applies functions to on the way to its outputs, by digest, and how large it is there."""
    def __init__(self, ring):
        none = np.empty(0, dtype=np.uint64)
        self.low = np.concatenate([none] + [a.low for a in ring.applications])
        self.high = np.concatenate([none] + [a.high for a in ring.applications])
        self.order = np.lexsort((self.high, self.low))
        self.sorted = self.low[self.order]

    def find(self, application):
        """Places of equal arguments; -1 where the first program has none."""
        if not len(self.sorted):
            return np.full(len(application.low), -1)
        at = np.searchsorted(self.sorted, application.low)
        place = self.order[np.minimum(at, len(self.sorted) - 1)]
        is_same = (self.low[place] == application.low) & (self.high[place] == application.high)
        return np.where(is_same, place, -1)

    def measure(self, sizes):
        """`sizes`: a row for each argument; equal arguments count what the largest of them does."""
        self.sizes = np.concatenate(sizes, axis=1) if sizes else np.zeros((0, 0))
        starts = np.flatnonzero(np.r_[True, np.diff(self.sorted) != 0][: len(self.sorted)])
        if len(starts):
            largest = np.maximum.reduceat(self.sizes[:, self.order], starts, axis=1)
            self.sizes[:, self.order] = np.repeat(largest, np.diff(np.r_[starts, len(self.sorted)]), axis=1)

def check_domain(first, second, arguments):
    for application in second.applications:
        is_known = functions.of(application.function).is_total or (arguments.find(application) >= 0).all()
        demand("domain", is_known, f"the second file applies {application.function} where the first does not")
    for digest, label in second.opaque.items():
        demand("domain", digest in first.opaque, f"{label} of the second file is not in the first")

def check_conditioning(pair, second, arguments):
    sizes, worst = [], [1.0]
    def note_first(number, given):
        sizes.append(given)
        return np.ones(given.shape[1])
    def compare(what, theirs, mine):
        largest, before = (float(x.max(initial=0.0)) for x in (theirs, mine))
        if largest == 0:
            return
        worst.append(largest / before if before > 0 and np.isfinite(largest) else np.inf)
        said = f"{what}: the second file's terms are {worst[-1]:.3g} times larger than the first's"
        demand("conditioning", worst[-1] <= _LARGEST_GROWTH, said)
    def note_second(number, given):
        application = second.applications[number]
        place = arguments.find(application)
        found = place >= 0
        for theirs, mine in zip(given, arguments.sizes):
            compare(f"an argument of {application.function}", theirs[found], mine[place[found]])
        return np.where(found, 1.0, np.inf)
    ring = Magnitudes(note_first)
    outputs_a = pair.program_a.run(ring, pair.leaf_in(ring))
    arguments.measure(sizes)
    ring = Magnitudes(note_second)
    outputs_b = pair.program_b.run(ring, pair.leaf_in(ring))
    for mine, theirs in zip(pair.program_a.outputs, pair.program_b.outputs):
        if isinstance(outputs_a[mine], Tensor) and isinstance(outputs_b[theirs], Tensor):
            compare(f"output {shown(mine)}", outputs_b[theirs].array, outputs_a[mine].array)
    return max(worst)

def numbers_of(pair):
    """N, D and B of the README."""
    elements, degrees, lengths = zip(*((program.elements, program.degree, program.length) for program in pair.programs))
    return max(sum(elements), 1), max(degrees), max(1, int(np.ceil(max(lengths) / 29)))

def check_work(pair, lanes):
    """Whether there is time and memory for runs with so many primes."""
    work = lanes * (sum(program.sizes.work for program in pair.programs) + pair.folding_work())
    is_much = work > _MOST_WORK or pair.folding_work() > _MOST_FOLDING
    unreadable_if(is_much, f"{work:.3g} products are more than this program computes")
    held = max(program.most_held() + 3 * program.sizes.widest for program in pair.programs)
    memory = 8 * lanes * held + 64 * sum(program.sizes.applied for program in pair.programs)
    unreadable_if(memory > _MOST_MEMORY, f"about {memory / 2**30:.0f} GiB are more memory than this program takes")

def check_bound(evidence, numbers):
    error, number = evidence["log2_error"], len(evidence["primes"])
    found = primes.log2_error(*(evidence[name] for name in ("elements", "degree", "length_blocks")), number)
    demand("bound", abs(found - error) <= _TOLERANCE, f"log2_error is {error}; its own numbers give {found!r}")
    mine = primes.log2_error(*numbers, number)
    demand("bound", error >= mine - _SLACK, f"log2_error is {error}; what this program counts gives {mine:.2f}")
    demand("bound", error <= _WORST_ERROR, f"log2_error is {error}, above {_WORST_ERROR}")

def values_of(pair, seed, found):
    """Of every output the residues of its first and of its last element, modulo primes that the seed yields."""
    _, results = evaluated(pair, pair.program_a, seed, found)
    out = []
    for result in results.values():
        is_there = isinstance(result, Tensor) and result.array[0].size
        lanes = result.array.reshape(len(found), -1) if is_there else None
        out.append([[int(x) for x in lanes[:, i]] for i in (0, -1)] if is_there else None)
    return out
