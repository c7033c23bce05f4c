"""ONNX files and the external data that they refer to, read as if an enemy had written them."""
import base64
import os
import stat
import onnx
from google.protobuf.message import DecodeError, Message
from . import digests, tensors
from .refusals import Unreadable, shown, unreadable_if

_MOST_BYTES, _MOST_EXTERNAL, _MOST_PROGRAM_BYTES = 2**31 - 1, 2**32, 2**24  # of a file; of its data; of programs
_OPSETS, _IR_VERSIONS = range(9, 29), range(3, 15)
_PROGRAMS_KEY = "pet.weight_programs"

def contents(path, limit):
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        raise Unreadable(f"{shown(path)} cannot be opened: {error}") from None
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        unreadable_if(not stat.S_ISREG(status.st_mode), f"{shown(path)} is no regular file")
        unreadable_if(status.st_size > limit, f"{shown(path)}: more than the {limit} bytes that are read here")
        return stream.read(limit)

def plain_domain(domain):
    return "" if domain == "ai.onnx" else domain

class _File:
    def parse(self, content, path):
        self.path = path
        try:
            self.model = onnx.ModelProto.FromString(content)
        except DecodeError:
            raise Unreadable(f"{shown(path)} is no ONNX file, or a damaged one") from None
        unreadable_if(not self.model.HasField("graph"), f"{shown(path)} is an ONNX file without a graph")
        names = [node.name for node in self.model.graph.node if node.name]
        unreadable_if(len(set(names)) < len(names), f"{shown(path)} has two nodes of one name")
        self.opsets = {}  # versions by domain
        for entry in self.model.opset_import:
            domain = plain_domain(entry.domain)
            unreadable_if(domain in self.opsets, f"{path}: domain {shown(domain)} is imported twice")
            self.opsets[domain] = entry.version
        ir, opset = self.model.ir_version, self.opsets.get("")
        is_known = ir in _IR_VERSIONS and opset in _OPSETS
        unreadable_if(not is_known, f"{path}: IR version {ir}, operator set {opset} have no meaning here")
    def tensor(self, proto):
        try:
            return tensors.read(proto, self._external_bytes)
        except Unreadable as error:
            raise Unreadable(f"{self.path}: tensor {shown(proto.name)}: {error}") from None

class ModelFile(_File):
    """A file and its external data, which are looked up as tensors are read."""
    def __init__(self, path):
        self.bytes = contents(path, _MOST_BYTES)
        self.path = path
        self.digest = digests.of_bytes(self.bytes)
        self._stored, self._taken = {}, 0  # external data by location, in the order of first use; bytes of tensors in them
    def external(self):
        """Of what was read up to now."""
        return [{"location": where, "digest": digests.of_bytes(content)} for where, content in self._stored.items()]
    @property
    def weight_programs(self):
        """The metadata entry that holds weight programs, as text; None where there is none."""
        entries = [entry.value for entry in self.model.metadata_props if entry.key == _PROGRAMS_KEY]
        unreadable_if(len(entries) > 1, "the file has weight programs twice")
        return entries[0] if entries else None
    def all_external(self):
        """The same of everything that anything in the file refers to."""
        pending = [self.model]
        while pending:
            message = pending.pop()
            if isinstance(message, onnx.TensorProto) and message.data_location == message.EXTERNAL:
                self._content(self._entries(message).get("location", ""))
            for field, value in message.ListFields():
                if field.message_type is not None:
                    pending += [value] if isinstance(value, Message) else value
        return self.external()
    @staticmethod
    def _entries(proto):
        entries = {entry.key: entry.value for entry in proto.external_data}
        unreadable_if(len(entries) != len(proto.external_data), "external data state something twice")
        return entries
    def _external_bytes(self, proto, size):
        entries = self._entries(proto)
        location = entries.get("location", "")
        offset, length = (self._place(entries[key]) if key in entries else None for key in ("offset", "length"))
        content, offset = self._content(location), offset or 0
        self._taken += size  # tensors may share bytes, and each is read twice
        unreadable_if(self._taken > 2 * _MOST_EXTERNAL, f"more than {_MOST_EXTERNAL} bytes of tensors in external data")
        is_short = length not in (None, size) or offset + size > len(content)
        unreadable_if(is_short, f"external data {shown(location)} do not hold these {size} bytes")
        return memoryview(content)[offset : offset + size]
    @staticmethod
    def _place(value):
        unreadable_if(not value.isascii() or not value.isdigit() or len(value) > 18, f"external data at {shown(value)}")
        return int(value)
    def _content(self, location):
        if location not in self._stored:
            folder = os.path.realpath(os.path.dirname(os.path.abspath(self.path)))
            unreadable_if("\0" in location or not location, f"external data at {shown(location)}")
            path = os.path.realpath(os.path.join(folder, location))
            is_inside = not os.path.isabs(location) and os.path.commonpath([folder, path]) == folder
            unreadable_if(not is_inside, f"external data {shown(location)} do not lie in the model's folder")
            self._stored[location] = contents(path, _MOST_EXTERNAL - sum(map(len, self._stored.values())))
        return self._stored[location]

class ProgramsFile(_File):
    """The model that the weight programs' text holds."""
    def __init__(self, text):
        unreadable_if(len(text) > _MOST_PROGRAM_BYTES, "weight programs of too many bytes")
        try:
            content = base64.b64decode(text, validate=True)
        except ValueError:
            raise Unreadable("weight programs that are not in base64") from None
        self.parse(content, "the weight programs")
    def _external_bytes(self, proto, size):
        raise Unreadable("a weight program refers to a file")
