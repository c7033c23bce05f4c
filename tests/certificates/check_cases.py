"""Checks every certificate N.json in a folder against its case N.txt, and that it does not hold for a changed case."""

import contextlib
import io
import sys
from pathlib import Path

import maker  # noqa: F401: makes the checker's modules known
from checker.__main__ import main


def checked(certificate, case):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = main([str(certificate), str(case)])
    return code, out.getvalue().strip()


failed = valid = 0
folder = Path(sys.argv[1])
changed = folder / "changed"
for certificate in sorted(folder.glob("*.json")):
    case = certificate.with_suffix(".txt")
    code, said = checked(certificate, case)
    changed.write_text(case.read_text() + "# more\n")
    if code == 0 and checked(certificate, changed)[0] == 6:
        valid += 1
    else:
        print(f"{certificate}: {case.read_text().splitlines()[0]}: {said}", file=sys.stderr)
        failed += 1
print(f"{valid} certificates of cases are valid, {failed} are not")
sys.exit(1 if failed else 0)
