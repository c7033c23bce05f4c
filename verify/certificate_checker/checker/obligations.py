"""The demands of the README, one by one."""
import numpy as np
from . import digests, primes
from .refusals import NoMeaning, Refused, refused_if, shown, unreadable_if
from .rings.numbers import Rounded
from .rings.residues import Independent, Residues
from .rings.ring import Opaque, Tensor

_WORST_ERROR, _TOLERANCE, _SLACK = -64.0, 1e-9, 8.0  # slack: by how much its bound may be better than ours
_MOST_WORK, _MOST_FOLDING, _MOST_MEMORY = 2**40, 2**35, 2**33  # products under all primes; of weight programs; bytes

def expected(pair, sizes, evidence, info):
    """The certificate that there should be; `evidence` and `info` are the writer's."""
    a, b, first = pair.a, pair.b, pair.program_a
    inputs = [_described(name, type_name, shape) for name, (type_name, shape, _) in inputs_of(first).items()]
    totals = {name: None if first.values[name].shape is None else first.values[name].elements for name in first.outputs}
    claims = [{"name": name, "verdict": "equivalent", "total": n, "equal": n} for name, n in totals.items()]
    match = "by-name" if first.outputs == pair.program_b.outputs else "by-position"
    results = [result_of(first, name, name) for name in first.outputs]
    text, programs = b.file.weight_programs, pair.embedded and {"text": pair.embedded}
    return {
        "format": "pet-certificate/1",
        "a": _file(a, pair.role_of_a),
        "b": _file(b, pair.role_of_b),
        "sizes": {**a.open_sizes(sizes), **b.open_sizes(sizes)},
        "interface": {"outputs": match, "inputs": inputs, "results": results},
        "semantics": {"arithmetic": "reals", "weights": "bound" if pair.is_bound else "symbols"},
        "weight_programs": programs if text is None else digests.of_bytes(text.encode("utf-8", "surrogateescape")),
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
    refused_if(mine.keys() != theirs.keys(), "interface", "the inputs have other names")
    for name in mine:
        refused_if(mine[name] != theirs[name], "interface", f"input {shown(name)}: {mine[name]} and {theirs[name]}")
    refused_if(len(first.outputs) != len(second.outputs), "interface", "the outputs do not correspond")
    for name, other in zip(first.outputs, second.outputs):
        types = result_of(first, name, name), result_of(second, other, name)
        is_known = first.values[name].shape is not None
        is_same = is_known or pair.a.declared_output(name) == pair.b.declared_output(other)
        is_same = is_same and types[0] == types[1]
        refused_if(not is_same, "interface", f"output {shown(name)} differs: {types[0]} and {types[1]}")

def check_rounding(pair, seed):
    """Each constant that a weight program yields is that program's value, correctly rounded."""
    primes_ = primes.drawn(seed, 1) * 2
    first, again = (Independent(digests.derived("weightless", seed, digests.number(draw)), primes_) for draw in range(2))
    for stored in {stored.digest: stored for stored in pair.folded()}.values():
        def weightless(ring):
            def leaf(name, value):
                kind = "symbol" if name in pair.weights.operands else value.leaf.kind
                return ring.leaf(kind, name, value.leaf.stored, value.shape)
            one, other = pair.weights.run(stored, ring, leaf).array
            return (one == other).reshape(-1)
        try:
            if (found := weightless(first)).any():  # a few may coincide by chance
                found &= weightless(again)
            pair.weights.check_rounding(stored, found)
        except NoMeaning as error:
            raise Refused("rounding", f"constant {stored.digest.hex()}: {error}") from None

def check_finite(pair):
    """What either file computes from constants alone is finite."""
    ring = Rounded()
    def leaf(name, value):
        return None if value.stored is None else ring.leaf("exact", name, value.stored, value.shape)
    for program, side in ((pair.program_a, pair.a), (pair.program_b, pair.b)):
        def visit(step, name, result):
            result.array = ring.held(result.array)
            is_finite = step.moves or np.isfinite(result.array).all()
            refused_if(not is_finite, "finite", f"{side.path}: {step.label}: {shown(name)}, of constants, is not finite")
        program.run(ring, leaf, constants_only=True, visit=visit)

def evaluated(pair, program, seed, primes_):
    """One of both programs under a seed: the ring, and the outputs by name."""
    ring = Residues(seed, primes_)
    return ring, program.run(ring, pair.leaf_in(ring))

def check_equality(pair, first, second):
    for mine, theirs in zip(pair.program_a.outputs, pair.program_b.outputs):
        a, b = first[mine], second[theirs]
        if isinstance(a, Opaque) or isinstance(b, Opaque):  # the one is never equal to a tensor
            refused_if(a != b, "equality", f"output {shown(mine)} comes from different nodes")
            continue
        wrong = np.flatnonzero((a.array != b.array).any(axis=0))
        what = f"differs at {len(wrong)} of {a.array[0].size} elements, from number {wrong[:1]} on"
        refused_if(len(wrong), "equality", f"output {shown(mine)} {what}")

def check_domain(first, second, is_known):
    for given in second.arguments:
        refused_if(not given.is_total and not is_known(given), "domain", f"the second file applies {given.of} where the first does not")
    for digest, label in second.opaque_nodes.items():
        refused_if(digest not in first.opaque_nodes, "domain", f"{label} of the second file is not in the first")

def numbers_of(pair):
    """N, D and B of the README."""
    elements, degrees, lengths = zip(*((program.elements, program.degree, program.length) for program in pair.programs))
    return max(sum(elements), 1), max(degrees), max(1, int(np.ceil(max(lengths) / 29)))

def check_work(pair, lanes):
    """Whether there is time and memory for runs with so many primes."""
    work = lanes * (sum(program.sizes.work for program in pair.programs) + pair.folding_work())
    unreadable_if(work > _MOST_WORK or pair.folding_work() > _MOST_FOLDING, f"{work:.3g} products are too many here")
    held = max(program.most_held() + 3 * program.sizes.widest for program in pair.programs)
    memory = 8 * lanes * held + 64 * pair.program_a.sizes.noted + 16 * pair.program_b.sizes.noted
    unreadable_if(memory > _MOST_MEMORY, f"about {memory / 2**30:.0f} GiB are more memory than this program takes")

def check_bound(evidence, numbers):
    error, number = evidence["log2_error"], len(evidence["primes"])
    found = primes.log2_error(*(evidence[name] for name in ("elements", "degree", "length_blocks")), number)
    mine = primes.log2_error(*numbers, number)
    fits = abs(found - error) <= _TOLERANCE and mine - _SLACK <= error <= _WORST_ERROR
    refused_if(not fits, "bound", f"log2_error is {error}, {found!r} by its numbers, {mine:.2f} by ours; {_WORST_ERROR} is wanted")

def values_of(pair, seed, found):
    """Of every output the residues of its first and of its last element, modulo primes that the seed yields."""
    _, results = evaluated(pair, pair.program_a, seed, found)
    is_told = {name: not pair.program_a.values[name].is_opaque and r.array[0].size for name, r in results.items()}
    lanes = [r.array.reshape(len(found), -1) if is_told[name] else None for name, r in results.items()]
    return [None if x is None else [x[:, i].astype(int).tolist() for i in (0, -1)] for x in lanes]
