"""The two files as programs: roles of constants, interface, sizes, and how a ring takes leaves."""
from . import digests, files
from .programs import Leaf, Program, Value
from .refusals import refused_if, shown, unreadable_if
from .rings.sizes import VARIABLE, Sizes
from .tensors import Declared, limited
from .weights import WeightPrograms

class Side:
    """One file: its graph, its initialisers and its inputs, before anything is planned."""
    def __init__(self, path):
        self.file, self.path = files.ModelFile(path), path
    def open(self, is_copy=False):
        self.file.parse(self.file.bytes, self.path)
        self.file.bytes, self.is_copy = None, is_copy
        self.graph = self.file.model.graph
        self.constants = {}
        for proto in self.graph.initializer:
            is_new = proto.name and proto.name not in self.constants
            unreadable_if(not is_new, f"{self.path}: initialiser {shown(proto.name)} stands twice")
            self.constants[proto.name] = self.file.tensor(proto)
        self.external = self.file.external()
        names = [value.name for value in self.graph.input]
        unreadable_if(len(set(names) - {""}) != len(names), f"{self.path}: an input has no name, or stands twice")
        self.declared = {value.name: Declared(value, self.path, is_copy) for value in self.graph.input}
        self.results = {value.name: value for value in self.graph.output}
        self.overridable = self.constants.keys() & self.declared.keys()
        is_odd = self.file.model.ir_version < 4 and len(self.overridable) != len(self.constants)
        unreadable_if(is_odd, f"{self.path}: an initialiser that is no input, before IR version 4")
    def declared_output(self, name):
        """All that is known of a result of unknown shape."""
        declared = Declared(self.results[name], self.path, self.is_copy)
        return declared.type, declared.shape({})
    def inputs(self, sizes):
        """What a caller may or must give, in the file's order."""
        out = {}
        for name, declared in self.declared.items():
            shape, default = declared.shape(sizes), self.constants.get(name)
            if default is not None:
                is_other = declared.contradicts(default.type, default.shape)
                unreadable_if(is_other, f"{self.path}: input {shown(name)} contradicts its initialiser")
            is_stated = self.is_copy or declared.type is not None and shape is not None
            unreadable_if(not is_stated, f"{self.path}: the type of input {shown(name)} is not stated")
            limited(shape or ())
            structure = digests.derived("input", digests.text(name))
            out[name] = Value(declared.type, shape, VARIABLE, Leaf("input", default), structure)
        return out
    def open_sizes(self, given):
        """Sizes that the file leaves open, as given; a default has to agree."""
        out = {}
        for name, declared in self.declared.items():
            default = self.constants.get(name)
            for i, extent in ((i, name) for i, name in enumerate(declared.extents or ()) if isinstance(name, str)):
                fits = default is not None and i < len(default.shape)
                size = given.get(extent, default.shape[i] if fits else None)
                is_wrong = size is None or fits and default.shape[i] != size
                refused_if(is_wrong, "sizes", f"{shown(extent)} of {self.path} is not as given")
                out[extent] = size
        return out

class Pair:
    """Both at the certificate's sizes; `is_copy`: two files with the same bytes, nothing is run; `programs`: as it holds them."""
    def __init__(self, a, b, sizes, is_bound, is_copy=False, programs=None):
        self.a, self.b, self.is_bound = a, b, is_bound
        self.program_a = Program(a.file, a.inputs(sizes), self._leaf_of, is_copy)
        self.constants = {stored.digest: stored for stored in self.program_a.constants()}
        self.weights, self.embedded = None, programs
        text = b.file.weight_programs if programs is None else programs
        if text is not None:
            self.weights = WeightPrograms(text, self.constants, self._operand, self._leaf_of_b, is_copy)
        self.program_b = Program(b.file, b.inputs(sizes), self._leaf_of_b, is_copy)
        self.programs = [self.program_a, self.program_b] + ([self.weights.program] if self.weights else [])
        constants = (*self.constants.values(), *self.program_b.constants())
        self.is_bound = is_bound and any(s.is_float and s.is_finite and s.elements.size > 1 for s in constants)
    def role_of_a(self, stored):
        has_value = stored.is_finite and not stored.is_negative_zero and (self.is_bound or stored.elements.size <= 1)
        return "exact" if has_value or not stored.is_float else "symbol"
    def role_of_b(self, stored):
        if self.weights is not None and self.weights.yields(stored):
            return "program"
        is_new = stored.elements.size > 1 and stored.digest not in self.constants
        return "exact" if is_new and stored.is_finite else self.role_of_a(stored)
    def _leaf_of(self, stored, role=None):
        """The leaf of a constant of that role (in the first file); what is no finite float counts by its bits."""
        return Leaf((role or self.role_of_a(stored)) if stored.is_float and stored.is_finite else "symbol", stored)
    def _leaf_of_b(self, stored):
        role = self.role_of_b(stored)
        if role == "program" and self.weights.program:
            value = self.weights.value(stored)
            return Leaf(role, stored, value.size, value.structure)
        return self._leaf_of(stored, role)
    def _operand(self, stored):
        """A constant of the first file as an operand of a weight program: its leaf, and what is planned of it."""
        leaf = self._leaf_of(stored)
        return leaf, Sizes().leaf(leaf.kind, "", stored, stored.shape)
    def leaf_in(self, ring):
        """How a ring takes the leaves of either program."""
        def leaf(name, value):
            if value.leaf.kind == "program":
                return self.weights.run(value.leaf.stored, ring, leaf)
            stored = value.type if value.leaf.kind == "input" else value.leaf.stored
            return ring.leaf(value.leaf.kind, name, stored, value.shape)
        return leaf
    def folded(self):
        return [v.leaf.stored for v in self.program_b.values.values() if v.leaf is not None and v.leaf.kind == "program"]
    def folding_work(self):
        """What running the weight programs costs, each for every constant that it yields."""
        return sum(map(self.weights.work, self.folded())) if self.weights else 0
