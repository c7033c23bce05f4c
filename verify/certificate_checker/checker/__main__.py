"""The command line of pet-check-certificate."""
import argparse
import ctypes
import json
import os
import sys
import time
import numpy as np
from .check import check
from .digests import derived, text
from .refusals import NoMeaning, Refused, Unreadable, shown

_VALID, _UNREADABLE, _REFUSED = 0, 4, 6  # 2: argparse

def _arguments(words):
    what = "Checks that a certificate of pet-verify holds for two ONNX files."
    codes = "exit codes: 0 valid, 6 refused, 4 unreadable or without a meaning here, 2 usage"
    parser = argparse.ArgumentParser(prog="pet-check-certificate", description=what, epilog=codes)
    for name in ("certificate", "first", "second"):
        parser.add_argument(name)
    parser.add_argument("--error", type=float, default=-64.0, metavar="LOG2", help="log2 of the own run's error (-64)")
    parser.add_argument("--seed", metavar="TEXT", help="instead of fresh entropy, to reproduce")
    parser.add_argument("--outputs", choices=("by-name", "by-position"), help="by-position: names may change places")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--quiet", action="store_true", help="the exit code alone")
    out = parser.parse_args(words)
    if not -2000 <= out.error <= 0:
        parser.error("--error is log2 of a probability")
    return out

def _outcome(given):
    started, seed = time.monotonic(), None if given.seed is None else derived("seed", text(given.seed))
    try:
        with np.errstate(all="ignore"):
            report = check(given.certificate, given.first, given.second, given.error, seed, given.outputs == "by-position")
    except Refused as refusal:
        return _REFUSED, {"refused": refusal.obligation, "detail": refusal.detail}
    except (Unreadable, NoMeaning) as error:
        return _UNREADABLE, {"unreadable": str(error)}
    except Exception as error:  # too little memory, or whatever a hostile file leads to: never valid
        return _UNREADABLE, {"unreadable": f"not foreseen by this program ({type(error).__name__}: {error})"}
    seconds = round(time.monotonic() - started, 2)
    return _VALID, {"valid": True, **report._asdict(), "seconds": seconds, "reproduced": given.seed is not None}

def _shown(found):
    if "refused" in found:
        return f"refused: {found['refused']}: {found['detail']}"
    if "unreadable" in found:
        return f"cannot be checked: {found['unreadable']}"
    pairs = ", ".join(f"{shown(name)} with {shown(other)}" for name, other in found["paired_by_position"])
    paired = f"; outputs paired by position: {pairs}" if pairs else ""
    at = "".join(f"; at {shown(name)} = {size} only" for name, size in found["sizes"].items())
    at += "; with the stored weights only" if found["weights"] == "bound" else ""
    said = "the same expressions"
    if found["primes"]:
        said = f"own error 2^{found['log2_error']:.1f}, {found['primes']} primes, growth {found['growth']:.3g}"
    return f"valid: {said}, {found['seconds']} s{paired}{at}"

def _keep_freed_memory():
    """What arrays leave is used again, not given back to the system and fetched page by page (glibc: M_MMAP_MAX and
    M_TRIM_THRESHOLD)."""
    if mallopt := sys.platform == "linux" and getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(-4, 0), mallopt(-1, 2**31 - 1)

def main(words=None):
    _keep_freed_memory()
    try:
        given = _arguments(words)
        code, found = _outcome(given)
        if not given.quiet:
            said = json.dumps(found) if given.json else _shown(found)
            print(said.encode("ascii", "backslashreplace").decode(), flush=True)  # paths may hold anything
        return code
    except OSError:  # nobody can be told
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _UNREADABLE
