"""The primes of a run, and how improbable it is that they hide a difference."""
import math
import numpy as np
from . import digests
from .randomness import keystream

COUNT = 26207278  # primes between 2^29 and 2^30
MOST = 24  # primes of one run

def is_prime(n):
    """Whether no number up to its root divides it. Small ones are tried first: most numbers have a small divisor."""
    root = math.isqrt(n)
    return n > 1 and all((n % np.arange(first, last + 1)).all() for first, last in ((2, min(255, root)), (256, root)))

def drawn(seed, number):
    """The first `number` distinct primes that the seed yields; each block of the keystream gives one candidate."""
    out = []
    for piece in keystream(digests.derived("primes", seed), 0, 2**20, at_once=64):
        for word in piece[::8]:
            candidate = 2**29 + 2 * (int(word) >> 36) + 1
            if candidate not in out and is_prime(candidate):
                out.append(candidate)
                if len(out) == number:
                    return out
    raise AssertionError("a keystream without primes")

def log2_sum(a, b):
    """log2(2^a + 2^b)."""
    return max(a, b) + math.log2(1 + 2.0 ** -abs(a - b))

def log2_error(elements, degree, blocks, primes):
    """The README's bound: of its N, D and B, and of the number of primes."""
    miss = min(0.0, log2_sum(math.log2(degree) - 29, math.log2(blocks) - math.log2(COUNT)))
    pairs = 2 * math.log2(elements) - 1
    return log2_sum(pairs + primes * miss, pairs - 127)

def needed_for(numbers, wanted):
    """The least number of primes that reaches `wanted`; None where none does."""
    return next((t for t in range(1, MOST + 1) if log2_error(*numbers, t) <= wanted), None)
