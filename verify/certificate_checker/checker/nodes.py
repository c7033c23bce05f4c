"""Nodes as the file has them: attributes, constants, and the digest of one without a meaning."""
import functools
import numpy as np
import onnx
from . import digests, tensors
from .files import plain_domain
from .kinds_of_numbers import FINITE, kinds_in
from .refusals import meaningless_if, shown, unreadable_if

_KINDS = onnx.AttributeProto
# Operators whose results are not a function of their operands.
_RANDOM = {"Bernoulli", "Multinomial", "Dropout", *(f"Random{x}" for x in ("Normal", "NormalLike", "Uniform", "UniformLike"))}
_KNOWN_DOMAINS = ("", "ai.onnx.ml")
LAST_LISTED = 17  # operator set: of later ones the writer knows no list
_CONSTANTS = {"value_float": (float, "float"), "value_int": (int, "int64"), "value_ints": (list, "int64"),
              "value_floats": (list, "float")}  # fmt: skip
_READ = {
    _KINDS.INT: lambda a, file: int(a.i),
    _KINDS.INTS: lambda a, file: [int(x) for x in a.ints],
    _KINDS.FLOAT: lambda a, file: float(a.f),
    _KINDS.STRING: lambda a, file: a.s.decode("utf-8", "surrogateescape"),
    _KINDS.TENSOR: lambda a, file: file.tensor(a.t),
}

def attributes_of(node, file):
    """Attributes by name: integers, floats (as doubles), texts, lists, tensors; of other kinds the message."""
    out = {}
    for attribute in node.attribute:
        has_value = attribute.name not in out and not attribute.ref_attr_name and attribute.type != _KINDS.UNDEFINED
        unreadable_if(not has_value, f"attribute {shown(attribute.name)} stands twice, or has no value of its own")
        out[attribute.name] = _READ.get(attribute.type, lambda a, file: a)(attribute, file)
    return out

@functools.cache
def _listed(op_type, opset):
    """The attributes, and the types of each operand, in ONNX's own list of operators; None where it says nothing."""
    try:
        schema = onnx.defs.get_schema(op_type, opset)
    except (onnx.defs.SchemaError, TypeError):  # not there, or no text
        return None, []
    return set(schema.attributes), [set(operand.types) for operand in schema.inputs]

def has_empty_list(node):
    lists = {_KINDS.INTS: "ints", _KINDS.FLOATS: "floats", _KINDS.STRINGS: "strings"}
    return any(a.type in lists and not getattr(a, lists[a.type]) for a in node.attribute)

def check_form(node, opset, types):
    """What an operator set does not have has no meaning there, whatever its successor makes of it."""
    attributes, kinds = _listed(node.op_type, opset) if opset <= LAST_LISTED else (None, [])
    is_odd = attributes is not None and {a.name for a in node.attribute} - attributes
    meaningless_if(is_odd, "an attribute that this operator set does not have")
    meaningless_if(attributes is not None and has_empty_list(node), "a list of nothing, which the writer's list does not take")
    found = [(t, kinds[min(i, len(kinds) - 1)]) for i, t in enumerate(types) if kinds and t is not None]
    meaningless_if(any(f"tensor({t})" not in kind for t, kind in found), "an operand of another type")

def constant_of(node, file):
    values = attributes_of(node, file)
    unreadable_if(len(values) != 1 or len(node.output) != 1 or node.input, "a constant has one attribute and one result")
    ((name, value),) = values.items()
    if name == "value" and isinstance(value, tensors.StoredTensor):
        return value
    if name == "value_floats" and isinstance(value, _KINDS) and value.type == _KINDS.FLOATS:
        value = list(value.floats)
    kind, type_name = _CONSTANTS.get(name, (None, None))
    meaningless_if(type(value) is not kind, f"a constant by {shown(name)} is not interpreted")
    return tensors.of_array(type_name, value, np.shape(value))

def numbers_in(node, file):
    """What floats its attributes have."""
    attributes = list(node.attribute)
    floats = [x for a in attributes for x in (a.f, *a.floats)]
    stored = [file.tensor(t) for a in attributes for t in ([a.t] if a.type == _KINDS.TENSOR else a.tensors)]
    return max(kinds_in("double", np.array(floats, dtype=np.float64)), *(s.numbers for s in stored), FINITE)

def content(node, file):
    """The digest of what a node without a meaning is, operands left out."""
    domain = plain_domain(node.domain)
    unreadable_if(domain not in file.opsets, f"domain {shown(domain)} is not imported")
    parts = [digests.text(domain), digests.text(node.op_type), digests.number(file.opsets[domain])]
    for names in (node.input, node.output):
        parts += [digests.number(len(names)), *(digests.number(1 if name else 0) for name in names)]
    if node.op_type in _RANDOM or domain not in _KNOWN_DOMAINS:
        parts += [digests.text(name) for name in node.output]  # equal to itself alone
    for attribute in sorted(node.attribute, key=lambda a: a.name):
        parts += [digests.text(attribute.name), digests.number(attribute.type), _attribute_content(attribute, file)]
    return digests.derived("node without a meaning", *parts)

def _attribute_content(attribute, file):
    if attribute.type in (_KINDS.TENSOR, _KINDS.TENSORS):
        found = attribute.tensors if attribute.type == _KINDS.TENSORS else [attribute.t]
        return digests.number(len(found)) + b"".join(file.tensor(t).digest for t in found)
    is_plain = attribute.type in {*_READ, _KINDS.FLOATS, _KINDS.STRINGS}
    unreadable_if(not is_plain, f"attribute {shown(attribute.name)} of a kind without a meaning here")
    plain = onnx.AttributeProto()
    plain.CopyFrom(attribute)
    plain.ClearField("doc_string")
    return digests.text(plain.SerializeToString(deterministic=True))
