"""The whole check of a certificate: the demands in an order in which cheap ones fail first."""
import math
import os
from typing import NamedTuple
from . import certificate as certificates
from . import conditioning, digests, files, obligations, places, primes
from .pair import Pair, Side
from .refusals import refused_if

_MOST_CERTIFICATE = 2**24

class Report(NamedTuple):
    """What a valid certificate was found to be, and for what; no primes where nothing had to be evaluated."""
    evidence: str
    sizes: dict  # the only ones of what the files leave open
    weights: str  # "symbols": for all of them, "bound": for the stored ones
    paired_by_position: list  # the two names of outputs that are one pair under different names
    log2_error: float | None = None
    primes: int = 0
    growth: float = 1.0

def test_seed(stated, text):
    """What the writer draws from; weight programs that no file vouches for are bound to the test by it."""
    return bytes.fromhex(stated) if text is None else digests.derived("weight programs", bytes.fromhex(stated), digests.text(text))

def check(path, path_a, path_b, wanted, seed=None, by_position=False):
    """Raises Refused or Unreadable; `seed`: 32 bytes, fresh entropy where there is none."""
    certificate = certificates.parsed(files.contents(path, _MOST_CERTIFICATE))
    evidence, pairs = certificate["evidence"], certificate["evidence"].get("pairs")
    text = stated["text"] if type(stated := certificate["weight_programs"]) is dict else None
    if (by_places := evidence["engine"] == "places"):
        found = {"engine": "places", "pairs": pairs}
    else:
        seed_of_test = test_seed(evidence["seed"], text)
        found = {**{name: evidence[name] for name in ("engine", *certificates.EVIDENCE)},
                 "primes": primes.drawn(seed_of_test, len(evidence["primes"]))}
        certificates.compare(evidence["primes"], found["primes"], "evidence.primes")
    a, b = Side(path_a), Side(path_b)
    for side, stated in ((a, certificate["a"]), (b, certificate["b"])):
        refused_if(stated["file"] != side.file.digest, "digests", f"{side.path} is another file")
    is_copy = pairs == [] and a.file.bytes == b.file.bytes
    for side, which in ((a, "a"), (b, "b")):
        side.open(is_copy)
        side.open_sizes(certificate["sizes"])
        certificates.compare(certificate[which]["external"], side.external, f"{which}.external")
    refused_if(is_copy and a.file.all_external() != b.file.all_external(), "equality", "their external data differ")
    pair = Pair(a, b, certificate["sizes"], certificate["semantics"]["weights"] == "bound", is_copy, text)
    obligations.check_interface(pair)
    renamed = [[name, other] for name, other in zip(pair.program_a.outputs, pair.program_b.outputs) if name != other]
    moved = {other for _, other in renamed}.intersection(pair.program_a.outputs)
    refused_if(moved and not by_position, "interface", "outputs change places (--outputs by-position allows for it)")
    claim = certificate["sizes"], certificate["semantics"]["weights"], renamed
    certificates.compare(certificate, obligations.expected(pair, certificate["sizes"], found, certificate["info"]))
    if is_copy:
        return Report("structure", *claim)
    numbers = obligations.numbers_of(pair)
    if not by_places:
        obligations.check_bound(evidence, numbers)
    chances = math.log2(len(pairs or [1]))  # each pair may be believed wrongly
    number = primes.needed_for(numbers, wanted - chances)
    obligations.check_work(pair, 1 if by_places else max(len(evidence["primes"]), number or 0))
    own_seed = seed or os.urandom(32)
    obligations.check_rounding(pair, own_seed)
    obligations.check_finite(pair)
    refused_if(number is None and pairs != [], "bound", f"no number of primes reaches 2^{wanted}")
    key = digests.derived("certificate checker", own_seed, *(digests.text(side.file.digest) for side in (a, b)))
    drawn = primes.drawn(key, number or 1)
    error = primes.log2_error(*numbers, len(drawn)) + chances
    if by_places:
        first, second = places.shown_equal(pair, pairs, key, drawn)
        known = {applied.key for applied in first.arguments}
        obligations.check_domain(first, second, lambda applied: applied.key in known)
        if not pairs:  # nothing is computed otherwise, and nothing was tested
            return Report("structure", *claim)
        return Report("places", *claim, error, number, conditioning.check_by_tensors(pair, first.arguments, second.arguments))
    first, results = obligations.evaluated(pair, pair.program_a, key, drawn)
    second, others = obligations.evaluated(pair, pair.program_b, key, drawn)
    obligations.check_equality(pair, results, others)
    del results, others
    arguments = conditioning.Arguments(first)
    obligations.check_domain(first, second, lambda applied: (arguments.find(applied) >= 0).all())
    growth = conditioning.check_conditioning(pair, second, arguments)
    values = obligations.values_of(pair, seed_of_test, found["primes"])
    certificates.compare(evidence["values"], values, "evidence.values")
    return Report("evaluation", *claim, error, number, growth)
