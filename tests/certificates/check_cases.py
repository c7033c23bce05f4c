"""Checks every certificate N.json in a folder against N.original.onnx and N.mutant.onnx."""

import contextlib
import io
import sys
from pathlib import Path

import maker  # noqa: F401: makes the checker's modules known
from checker.__main__ import main

failed = valid = 0
for certificate in sorted(Path(sys.argv[1]).glob("*.json")):
    said = io.StringIO()
    programs = [certificate.with_suffix(f".{which}.onnx") for which in ("original", "mutant")]
    with contextlib.redirect_stdout(said):
        code = main([str(path) for path in (certificate, *programs)])
    valid += code == 0
    failed += code != 0
    if code != 0:
        print(f"{certificate}: {said.getvalue().strip()}", file=sys.stderr)
print(f"{valid} certificates of cases are valid, {failed} are not")
sys.exit(1 if failed else 0)
