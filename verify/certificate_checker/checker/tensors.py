"""Tensors of a file: their types, their elements, their digests, and what a file declares of them."""
import math
import numpy as np
from . import digests
from .kinds_of_numbers import kinds_in
from .refusals import shown, unreadable_if

# By ONNX number: name, how the elements lie in memory, the typed list that may hold them.
TYPES = {
    1: ("float", "<f4", "float_data"), 2: ("uint8", "<u1", "int32_data"), 3: ("int8", "<i1", "int32_data"),
    4: ("uint16", "<u2", "int32_data"), 5: ("int16", "<i2", "int32_data"), 6: ("int32", "<i4", "int32_data"),
    7: ("int64", "<i8", "int64_data"), 8: ("string", None, "string_data"), 9: ("bool", "<u1", "int32_data"),
    10: ("float16", "<u2", "int32_data"), 11: ("double", "<f8", "double_data"),
    12: ("uint32", "<u4", "uint64_data"), 13: ("uint64", "<u8", "uint64_data"), 16: ("bfloat16", "<u2", "int32_data"),
}  # fmt: skip
NUMBERS = {name: number for number, (name, _, _) in TYPES.items()}
_LISTS = {entry[2] for entry in TYPES.values()}
_MOST_ELEMENTS, _MOST_AXES = 2**27, 16  # of one value; what this program has room for

def limited(shape):
    """The shape, if it is one that this program has room for."""
    fits = len(shape) <= _MOST_AXES and all(0 <= n <= _MOST_ELEMENTS for n in (*shape, math.prod(shape)))
    unreadable_if(not fits, f"a value of shape {list(shape)} is beyond what this program computes")
    return tuple(shape)

def written(type_name, shape):
    """A type as the README writes it: float[1,3,224,224]."""
    return f"{type_name}[{','.join(str(n) for n in shape)}]"

class StoredTensor:
    """A tensor of a file; `elements` has its shape, bits of 16-bit floats as integers."""
    def __init__(self, type_name, elements):
        self.type, self.elements, self.shape = type_name, elements, tuple(elements.shape)
        self.is_float = type_name == "float"
        self.digest = digests.of_tensor(NUMBERS[type_name], self.shape, np.ascontiguousarray(elements))
        self.is_finite = not self.is_float or bool(np.isfinite(elements).all())
        self.numbers = kinds_in(type_name, elements)
        self.is_zero = elements.size == 1 and not any(elements.tobytes())
        self.is_negative_zero = self.is_float and elements.size == 1 and not elements.any() and not self.is_zero

def of_array(type_name, values, shape):
    """A tensor made here, of values that its type holds."""
    return StoredTensor(type_name, np.array(values, dtype=TYPES[NUMBERS[type_name]][1]).reshape(shape))

def _from_list(proto, layout, field, elements):
    values = list(getattr(proto, field))
    unreadable_if(len(values) != elements, f"{len(values)} elements where the extents ask for {elements}")
    if layout[1] != "f":
        limits = np.iinfo(layout)
        unreadable_if(any(not limits.min <= x <= limits.max for x in values), "an element does not fit its type")
    return np.array(values, dtype=layout)

def read(proto, external_bytes):
    """A TensorProto; `external_bytes(proto, size)` yields what it keeps in another file."""
    name, layout, field = TYPES.get(proto.data_type, (None, None, None))
    unreadable_if(layout is None, f"a tensor of type {proto.data_type} has no meaning here")
    unreadable_if(proto.HasField("segment"), "a tensor in segments")
    shape = limited(proto.dims)
    size = math.prod(shape) * np.dtype(layout).itemsize
    is_listed = proto.data_location != proto.EXTERNAL and not proto.HasField("raw_data")
    others = _LISTS - ({field} if is_listed else set())
    unreadable_if(any(len(getattr(proto, other)) for other in others), "elements stated twice, or in another list")
    if is_listed:
        return StoredTensor(name, _from_list(proto, layout, field, math.prod(shape)).reshape(shape))
    raw = external_bytes(proto, size) if proto.data_location == proto.EXTERNAL else proto.raw_data
    unreadable_if(len(raw) != size, f"{len(raw)} bytes where the type asks for {size}")
    return StoredTensor(name, np.frombuffer(raw, dtype=layout).reshape(shape))

class Declared:
    """A type as far as a file states it: `extents` hold numbers, or names where a size is open."""
    def __init__(self, value, where, is_copy=False):
        """Of a file and its copy, what is no tensor has no type."""
        self.type = self.extents = None
        if not value.type.HasField("tensor_type"):
            unreadable_if(value.HasField("type") and not is_copy, f"{where}: {shown(value.name)} is no tensor")
            return
        stated = value.type.tensor_type
        unreadable_if(stated.elem_type not in {0, *TYPES}, f"{where}: {shown(value.name)} has an unknown element type")
        self.type = TYPES[stated.elem_type][0] if stated.elem_type else None
        if stated.HasField("shape"):
            places = [(dim, dim.dim_param or f"{value.name}:{i}") for i, dim in enumerate(stated.shape.dim)]
            self.extents = [int(dim.dim_value) if dim.HasField("dim_value") else name for dim, name in places]
            limited([n for n in self.extents if isinstance(n, int)])
    def shape(self, sizes):
        """With the sizes put in; None where it is not stated completely."""
        out = [None] if self.extents is None else [sizes.get(n) if isinstance(n, str) else n for n in self.extents]
        return None if None in out else tuple(out)
    def contradicts(self, type_name, shape):
        is_other_type = None not in (self.type, type_name) and self.type != type_name
        stated, found = (self.extents, shape) if None not in (self.extents, shape) else ((), ())
        is_other_shape = any(isinstance(n, int) and n != m for n, m in zip(stated, found))
        return is_other_type or len(stated) != len(found) or is_other_shape
