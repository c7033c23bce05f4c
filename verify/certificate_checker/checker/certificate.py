"""Reading a certificate, and comparing it with what was found in the files."""
import json
from .refusals import Refused, refused_if, shown

def _is_count(value):
    return type(value) is int and 0 <= value < 2**63

def _is_number(value):
    return type(value) in (int, float) and abs(value) < 1e300

# What is used before anything is compared. All else only has to be the same as what is found.
_KINDS = {
    **{f"{which}.{field}": lambda value: True for which in "ab" for field in ("file", "external")},
    "sizes": lambda value: type(value) is dict and all(_is_count(n) and n > 0 for n in value.values()),
    "weight_programs": lambda value: type(value) is not dict or type(value.get("text")) is str and value["text"].isascii(),
    "semantics.weights": lambda value: value == "symbols" or value == "bound",
    "evidence.engine": lambda value: type(value) is str and value in ("bitmap", "places"),
    "info": lambda value: True,
}
_KINDS_OF_EVIDENCE = {
    "evidence.seed": lambda value: type(value) is str and len(value) == 64 and not set(value) - set("0123456789abcdef"),
    "evidence.primes": lambda value: type(value) is list and 1 <= len(value) <= 64,
    "evidence.degree": lambda value: _is_number(value) and value >= 1 and value == int(value),
    "evidence.length_blocks": lambda value: _is_count(value) and value >= 1,
    "evidence.elements": lambda value: _is_count(value) and value >= 1,
    "evidence.log2_error": _is_number,
    "evidence.values": lambda value: type(value) is list,
}
_KINDS_OF_PLACES = {"evidence.pairs": lambda value: type(value) is list and all(map(_is_pair, value))}
EVIDENCE = [name.removeprefix("evidence.") for name in _KINDS_OF_EVIDENCE]

def _is_pair(value):
    is_whole = type(value) is dict and value.keys() == {"a", "b", "order", "from"} and type(value["from"]) is list
    is_named = is_whole and all(type(name) is str and name for name in (value["a"], value["b"], *value["from"]))
    order = value["order"] if is_named and len(set(value["from"])) == len(value["from"]) else ""
    return order is None or type(order) is list and all(map(_is_count, order))

def _object(entries):
    out = dict(entries)
    if len(out) != len(entries):
        raise ValueError("a field stands twice")
    return out

def parsed(content):
    """The certificate; what is used of it is there and of the right kind."""
    try:
        certificate = json.loads(content.decode("utf-8"), object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise Refused("format", f"the certificate is no JSON: {error}") from None
    _check_kinds(certificate, _KINDS)
    _check_kinds(certificate, _KINDS_OF_PLACES if certificate["evidence"]["engine"] == "places" else _KINDS_OF_EVIDENCE)
    return certificate

def _check_kinds(certificate, kinds):
    for path, fits in kinds.items():
        value = certificate
        for key in path.split("."):
            refused_if(type(value) is not dict or key not in value, "format", f"{path} is missing")
            value = value[key]
        refused_if(not fits(value), "format", f"{path} is {shown(value)}")

def compare(stated, found, where="certificate"):
    """Both are the same, to the type of every field; none is missing and none is unknown."""
    if type(stated) is dict and type(found) is dict:
        for name in stated.keys() ^ found.keys():
            raise Refused("format", f"{where}.{shown(name)} is missing, or no field of this format")
        for name in found:
            compare(stated[name], found[name], f"{where}.{name}")
    elif type(stated) is list and type(found) is list and len(stated) == len(found):
        for i, (left, right) in enumerate(zip(stated, found)):
            compare(left, right, f"{where}[{i}]")
    else:
        is_same = type(stated) is type(found) and stated == found
        refused_if(not is_same, "statement", f"{where} is {shown(stated)}, not {shown(found)}")
