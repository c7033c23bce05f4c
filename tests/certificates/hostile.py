"""Hostile certificates, and files that they speak of: refused or valid, never a traceback, a hang or a full memory.

hostile.py --count N --seed S [--keep FOLDER]; each is a function of seed and number: --only NUMBER looks at it again.
"""

import argparse
import collections
import contextlib
import copy
import io
import json
import os
import random
import re
import resource
import signal
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy: small arrays only
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import maker  # noqa: E402
import networks  # noqa: E402
from checker.__main__ import main as checker  # noqa: E402

SECONDS = 10
MOST_KIBIBYTES = 2 << 20
MOST_ADDRESSES = 8 << 30
MOST_FINDINGS = 10
LONGEST = 1 << 20

NUMBERS = ["0", "-0", "-1", "1", "2", "1.0", "0.5", "16", "64", "65", "2147483648", "134217728", "134217729",
           "9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551616", "-1e308", "1e308",
           "1e999", "5e-324", "NaN", "Infinity", "-Infinity", "9" * 5000, "1e", "00", "--1"]
VALUES = [None, True, False, 0, -1, 1, 2, 64, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 10**30, -(2**63), -0.0, 0.5, 1e308,
          -1e308, 5e-324, float("inf"), float("nan"), "", "x", "0" * 64, "g" * 64, "a\0b", "\ud800", "\u202e",
          "x" * 5000, "symbols", "bound", "bitmap", "places", "float", [], {}, [[]], [None], {"": 0}]
PIECES = [b"\0", b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b'"', b"\\", b"\n", b"{", b"}",
          b"[", b"]", b",", b":", b"/*", b"//", b'"a":1,']


class Stalled(BaseException):
    """Not caught by what catches everything that a program may foresee."""


def _stalled(number, frame):
    raise Stalled


def slots(value):
    """Every place of a value inside it."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from slots(value[key])


def nudged(rng, value):
    """Nearly the same."""
    if isinstance(value, str) and value:
        at = rng.randrange(len(value))
        return value[:at] + rng.choice("0fgA \0") + value[at + 1 :]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return rng.choice([value + 1, value - 1, value * 2, -value, float(value)])
    return rng.choice(VALUES)


def _nested(rng):
    out = []
    for _ in range(rng.randrange(200)):
        out = [out] if rng.random() < 0.5 else {"a": out}
    return out


def changed_values(rng, good, others):
    """As JSON: values, keys and whole parts exchanged."""
    content = copy.deepcopy(good)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        places = list(slots(content))
        if not places:
            break
        here, key = rng.choice(places)
        how = rng.randrange(8)
        if how == 0:
            del here[key]
        elif how == 1:
            there, other = rng.choice(places)
            here[key] = copy.deepcopy(there[other])
        elif how == 2:
            there, other = rng.choice(list(slots(rng.choice(others))))
            here[key] = copy.deepcopy(there[other])
        elif how == 3 and isinstance(here, dict):
            here[rng.choice(["", "x", "file", "values", "primes", "\ud800"])] = here.pop(key)
        elif how == 4 and isinstance(here, list):
            here[key:key] = [copy.deepcopy(here[key])] * rng.choice((1, 2, 100))
        elif how == 5:
            here[key] = nudged(rng, here[key])
        elif how == 6:
            here[key] = _nested(rng)
        else:
            here[key] = copy.deepcopy(rng.choice(VALUES))
    text = json.dumps(content, ensure_ascii=rng.random() < 0.5)
    return text.encode("utf-8", "surrogatepass")


def changed_info(rng, good, others):
    """What anybody may write there: still valid."""
    content = {**good, "info": rng.choice([{}, [], None, "x", {"a": [1, 2, {"b": None}]}, 1e300])}
    return json.dumps(content).encode()


def _span(rng, content):
    first = rng.randrange(len(content) + 1)
    return first, min(len(content), first + 1 + rng.randrange(16 if rng.random() < 0.9 else len(content) + 1))


def changed_bytes(rng, content, other):
    """As bytes, words and numbers, whatever becomes of it."""
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        first, last = _span(rng, content)
        how = rng.randrange(9)
        if how == 0 and first < len(content):
            content = content[:first] + bytes([content[first] ^ 1 << rng.randrange(8)]) + content[first + 1 :]
        elif how == 1:
            content = content[:first] + rng.choice(PIECES) + content[first:]
        elif how == 2:
            content = content[:first] + content[last:]
        elif how == 3:
            content = content[:first] + content[first:last] * rng.choice((2, 3, 100)) + content[last:]
        elif how == 4 and rng.random() < 0.3:
            content = content[:first]
        elif how == 5:
            a, b = _span(rng, other)
            content = content[:first] + other[a:b] + content[last:]
        elif how == 6:
            depth = rng.choice((3, 60, 900 + rng.randrange(200), 5000, 200_000))
            opening, closing = rng.choice(((b"[", b"]"), (b'{"a":', b"}")))
            content = content[:first] + opening * depth + b"1" + closing * depth * rng.randrange(2) + content[last:]
        else:
            numbers = list(re.finditer(rb"-?\d+(\.\d+)?([eE][+-]?\d+)?", content))
            if numbers:
                at = rng.choice(numbers)
                content = content[: at.start()] + rng.choice(NUMBERS).encode() + content[at.end() :]
        content = content[:LONGEST]
    return content


def same(stated, good, name=""):
    """Whether a certificate says what the good one says; what the checker compares with a tolerance counts as that."""
    if isinstance(good, dict):
        is_like = isinstance(stated, dict) and stated.keys() == good.keys()
        return is_like and all(same(stated[key], good[key], key) for key in good)
    if isinstance(good, list):
        is_like = isinstance(stated, list) and len(stated) == len(good)
        return is_like and all(map(same, stated, good))
    if name in ("log2_error", "degree") and type(stated) in (int, float) and type(good) in (int, float):
        return abs(stated - good) <= 1e-9
    return type(stated) is type(good) and stated == good


class Pair:
    """Good files and their certificate."""

    def __init__(self, folder, make, options):
        os.makedirs(folder)
        self.paths = maker.written(folder, *make(), **options)
        self.contents = [Path(path).read_bytes() for path in self.paths]
        self.certificate = json.loads(self.contents[0])

    def restore(self):
        for path, content in zip(self.paths, self.contents):
            Path(path).write_bytes(content)

    def says_the_same(self, content):
        """Of a certificate, `info` apart."""
        try:
            stated = json.loads(content)
        except (ValueError, RecursionError):
            return False
        return isinstance(stated, dict) and same({**stated, "info": None}, {**self.certificate, "info": None})


class Campaign:
    def __init__(self, folder, seed):
        self.seed = seed
        self.pairs = [Pair(Path(folder) / str(i), *pair) for i, pair in enumerate(networks.PAIRS.values())]
        self.codes = collections.Counter()
        self.unforeseen = collections.Counter()

    def put(self, number):
        """Writes input `number`; its pair, and whether it is a file that was changed and not the certificate."""
        rng = random.Random(f"{self.seed} {number}")
        pair = rng.choice(self.pairs)
        pair.restore()
        if rng.randrange(16) == 0:
            content = changed_bytes(rng, pair.contents[2], rng.choice(self.pairs).contents[1])
            Path(pair.paths[2]).write_bytes(content)
            maker.redigested(pair.paths[0], pair.paths[2], lenient=True)
            return pair, True
        others = [other.certificate for other in self.pairs]
        how = rng.random()
        if how < 0.02:
            content = changed_info(rng, pair.certificate, others)
        elif how < 0.6:
            content = changed_values(rng, pair.certificate, others)
        else:
            content = changed_bytes(rng, pair.contents[0], rng.choice(self.pairs).contents[0])
        Path(pair.paths[0]).write_bytes(content)
        return pair, False

    def look(self, number):
        """What is wrong with what becomes of input `number`; None where nothing is. And its pair."""
        pair, is_of_file = self.put(number)
        out = io.StringIO()
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            with contextlib.redirect_stdout(out):
                code = checker([*pair.paths, "--json"])
        except Stalled:
            return f"it took longer than {SECONDS} s", pair
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever it is, it is none of the checker's own words
            return f"{type(error).__name__}: {error}", pair
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        self.codes[code] += 1
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > MOST_KIBIBYTES:
            return "it took too much memory", pair
        return self._judged(code, json.loads(out.getvalue()), pair, is_of_file), pair

    def _judged(self, code, found, pair, is_of_file):
        if code not in (0, 4, 6):
            return f"it ended with {code}"
        unforeseen = re.match(r"not foreseen by this program \((\w+)", found.get("unreadable", ""))
        if unforeseen:
            self.unforeseen[unforeseen[1]] += 1
            # Nesting as deep as Python itself goes is turned down like anything else.
            if not is_of_file and unforeseen[1] != "RecursionError":
                return found["unreadable"]
        if code == 0 and not is_of_file and not pair.says_the_same(Path(pair.paths[0]).read_bytes()):
            return "valid, and it says something else"
        return None


def kept(folder, seed, number, pair):
    """A copy of the files, for somebody to look at."""
    out = Path(folder) / f"hostile-certificate-{seed}-{number}"
    out.mkdir(parents=True, exist_ok=True)
    for path in pair.paths:
        (out / Path(path).name).write_bytes(Path(path).read_bytes())
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="look at that input alone")
    parser.add_argument("--keep", default=".", help="folder for what something is wrong with")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    signal.signal(signal.SIGALRM, _stalled)
    findings = 0
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(folder, given.seed)
        for number in range(given.count) if given.only is None else [given.only]:
            what, pair = campaign.look(number)
            if what is None:
                continue
            findings += 1
            place = kept(given.keep, given.seed, number, pair)
            print(f"certificate {number} of seed {given.seed}: {ascii(what)}\n  kept in {place}; again with: "
                  f"hostile.py --seed {given.seed} --only {number}", flush=True)
            if findings == MOST_FINDINGS:
                break
    print(f"{sum(campaign.codes.values())} certificates from seed {given.seed}, exit codes {dict(campaign.codes)}, "
          f"not foreseen {dict(campaign.unforeseen)}, {findings} findings")
    if findings:
        return 1
    if given.only is None and given.count >= 500 and not {0, 6} <= campaign.codes.keys():
        print("the campaign does not say enough: some have to be valid, and some refused")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
