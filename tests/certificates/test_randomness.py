"""ChaCha20 and SipHash against published vectors, primes, arithmetic against Python's integers."""

import unittest
from fractions import Fraction

import maker  # noqa: F401  (finds the checker)
import numpy as np
from checker import arithmetic, primes, randomness

# draft-agl-tls-chacha20poly1305 and draft-strombergson-chacha-test-vectors: 256-bit keys, 20
# rounds, 64-bit nonces; the first bytes of the first and of the second block.
_CHACHA = (
    (bytes(32), 0, "76b8e0ada0f13d90405d6ae55386bd28", "9f07e7be5551387a98ba977c732d080d"),
    (b"\x01" + bytes(31), 0, "c5d30a7ce1ec119378c84f487d775a85", None),
    (bytes(32), 1, "ef3fdfd6c61578fbf5cf35bd3dd33b80", None),
    (bytes(32), 2**56, "de9cba7bf3d69ef5e786dc63973f653a", None),
)
_SIP_KEY = (0x0706050403020100, 0x0F0E0D0C0B0A0908)  # of the reference implementation
_SIP_64 = {0: "310e0edd47db6f72", 1: "fd67dc93c539f874", 15: "e545be4961ca29a1"}
_SIP_128 = {0: "a3817f04ba25a8e66df67214c7550293", 1: "da87c1d86b99af44347659119b22fc45"}


def _sip(message, wide):
    padded = message + bytes(-len(message) % 8)
    words = [int.from_bytes(padded[i : i + 8], "little") for i in range(0, len(padded), 8)]
    columns = randomness.siphash(_SIP_KEY, words, len(message), wide)
    return b"".join(int(c[0]).to_bytes(8, "little") for c in columns).hex()


class Streams(unittest.TestCase):
    def test_chacha_vectors(self):
        for key, nonce, first, second in _CHACHA:
            words = next(randomness.keystream(key, nonce, 16)).tolist()
            stream = b"".join(w.to_bytes(8, "little") for w in words)
            self.assertEqual(stream[:16].hex(), first)
            if second:
                self.assertEqual(stream[64:80].hex(), second)

    def test_pieces_join(self):
        key = bytes(range(32))
        short = next(randomness.keystream(key, 7, 5)).tolist()
        long = np.concatenate(list(randomness.keystream(key, 7, 40000)))
        self.assertEqual(short, [int(x) for x in long[:5]])
        whole = np.concatenate(list(randomness.keystream(key, 7, 400000)))
        self.assertTrue((long == whole[:40000]).all())
        self.assertEqual(len(set(whole.tolist())), len(whole))

    def test_siphash_vectors(self):
        for length, expected in _SIP_64.items():
            self.assertEqual(_sip(bytes(range(length)), False), expected)
        for length, expected in _SIP_128.items():
            self.assertEqual(_sip(bytes(range(length)), True), expected)

    def test_siphash_columns_are_rows(self):
        rng = np.random.default_rng(1)
        columns = [rng.integers(0, 2**63, 20000).astype(np.uint64) for _ in range(3)]
        low, high = randomness.siphash(_SIP_KEY, [5, *columns], 32, wide=True)
        for row in (0, 16383, 16384, 19999):
            words = [5, *(int(c[row]) for c in columns)]
            alone = randomness.siphash(_SIP_KEY, words, 32, wide=True)
            self.assertEqual((low[row], high[row]), (alone[0][0], alone[1][0]))

    def test_primes(self):
        sieve = np.ones(200000, dtype=bool)
        sieve[:2] = False
        for n in range(2, 450):
            if sieve[n]:
                sieve[n * n :: n] = False
        self.assertEqual([n for n in range(200000) if primes.is_prime(n)],
                         np.flatnonzero(sieve).tolist())
        self.assertFalse(primes.is_prime(25326001))  # a strong pseudoprime to 2, 3 and 5
        drawn = primes.drawn(bytes(32), 24)
        self.assertEqual(len(set(drawn)), 24)
        self.assertTrue(all(2**29 < p < 2**30 and primes.is_prime(p) for p in drawn))


class Arithmetic(unittest.TestCase):
    def setUp(self):
        self.p = primes.drawn(bytes(32), 1)[0]
        self.rng = np.random.default_rng(2)

    def _residues(self, *shape):
        x = self.rng.integers(0, self.p, shape)
        x.reshape(-1)[:2] = self.p - 1
        return x

    def test_matmul(self):
        for depth in (0, 1, 499, 500, 501, 1700):
            a, b = self._residues(3, depth + 2)[:, :depth], self._residues(depth + 2, 4)[:depth]
            expected = (a.astype(object) @ b.astype(object)) % self.p if depth else np.zeros((3, 4))
            found = arithmetic.matmul(a.astype(float), b.astype(float), self.p)
            self.assertTrue((found == expected.astype(float)).all(), depth)

    def test_worst_sums(self):
        for p in (2**30 - 35, 2**29 + 11):
            a = np.full((2, 1000), float(p - 1))
            for b in (a.T, a.T // 2, a.T // 2 + 1):
                found = arithmetic.matmul(a // 2, b, p)
                self.assertEqual(found[0, 0], 1000 * int(a[0, 0] // 2) * int(b[0, 0]) % p)

    def test_sums_and_products(self):
        a, b = self._residues(1000), self._residues(1000)
        x, y = a.astype(float), b.astype(float)
        self.assertTrue((arithmetic.plus(x, y, self.p) == (a + b) % self.p).all())
        products = [int(m) * int(n) % self.p for m, n in zip(a, b)]
        self.assertTrue((arithmetic.times(x, y, self.p) == products).all())
        total = arithmetic.sum_along(x, 0, self.p)
        self.assertEqual(int(total[0]), int(a.sum()) % self.p)

    def test_floats(self):
        values = np.array([0, -0.0, 1.5, -0.1, 1e-45, 3.4e38, -1.17e-38], dtype=np.float32)
        found = arithmetic.residues_of_floats(values, self.p)
        expected = [arithmetic.residue_of_fraction(Fraction(float(v)), self.p) for v in values]
        self.assertEqual(found.tolist(), expected)

    def test_not_invertible(self):
        with self.assertRaises(ValueError):
            arithmetic.residue_of_fraction(Fraction(1, self.p), self.p)


if __name__ == "__main__":
    unittest.main()
