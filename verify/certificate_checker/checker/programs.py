"""A file as a program: which nodes have a meaning, of what shape everything is, and running it."""
import collections
import math
from typing import NamedTuple
from operators.parts.call import Call  # the operators fill the table
from . import digests, integers, kinds, nodes, tensors
from .files import plain_domain
from .kinds_of_numbers import FINITE, INFINITE, NO_NUMBER
from .refusals import NoMeaning, Unreadable, meaningless_if, shown, unreadable_if
from .results import types_of
from .rings.infinities import Infinities
from .rings.numbers import Integers
from .rings.sizes import VARIABLE, Size, Sizes
from .table import find

_MOST_WORK_ON_INTEGERS = 2**26
_WITH_INFINITY = (None, "float", "double", "float16", "bfloat16")  # types that have one, or may be one that has
_WITHOUT_FRACTION = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64")

class Leaf(NamedTuple):
    """Something that no node computes: an `input`, a `symbol`, an `exact` constant, what a weight `program` yields."""
    kind: str
    stored: tensors.StoredTensor | None = None
    size: Size | None = None  # of what a weight program computes, and the digest of that expression
    structure: bytes = b""

class Value:
    """What is known of a value before anything is evaluated."""
    def __init__(self, type_name, shape, size=None, leaf=None, structure=b"", is_constant=False, numbers=FINITE, is_opaque=False):
        self.type, self.shape = type_name, shape  # None: unknown, as it may be of a node without a meaning
        self.size, self.leaf, self.structure = size, leaf, structure  # of its polynomials; digest of the expression
        self.is_constant, self.is_opaque = is_constant, is_opaque  # follows from constants alone; from nodes without a meaning
        self.of_constants = is_constant  # follows from constants, by nodes with a meaning or without
        self.stored = leaf.stored if leaf and leaf.kind != "input" else None
        # What it may hold by constants of the file; a text may spell anything.
        self.numbers = NO_NUMBER if type_name == "string" else self.stored.numbers if self.stored else numbers
        self.is_known = self.stored is not None and integers.is_known(self.stored)  # integers
        self.is_zero = self.stored is not None and self.stored.is_zero and type_name in ("float", "int32", "int64")
        self.elements = 1 if shape is None else math.prod(shape)

class Step:
    """A node to be evaluated; `operator` is None where it has no meaning, and `content` tells such nodes apart."""
    def __init__(self, node, number):
        self.label = f"node {shown(node.name or number)} ({shown(node.op_type)})"
        self.inputs, self.outputs = list(node.input), list(node.output)
        self.operator = self.call = self.content = None
        self.shapes = []  # of the results of one without a meaning
        self.is_needed = self.is_constant = self.moves = False
        self.work = 0
    @property
    def reads(self):
        """The operands that are tensors to it."""
        names = self.inputs if self.operator is None else self.inputs[: self.operator.tensors[1]]
        return [name for name in names if name]

class Program:
    """The steps of a graph, planned with every operand's shape at hand."""
    def __init__(self, file, inputs, constant, is_copy=False):
        """`constant(stored)`: the leaf that a constant is; `is_copy`: nothing is run, anything may have no meaning."""
        graph = file.model.graph
        self.file = file
        self.values = dict(inputs)
        self.steps, self.sizes, self.opaque = [], Sizes(), set()  # digests of the nodes without a meaning
        self.outputs = [value.name for value in graph.output]
        self._constant, self._is_copy = constant, is_copy
        self._unchecked = {} if is_copy else kinds.unchecked(file)
        is_odd = not is_copy and (graph.sparse_initializer or file.model.functions or file.model.training_info)
        unreadable_if(is_odd, f"{file.path}: sparse tensors, functions and training have no meaning")
        for sparse in graph.sparse_initializer:
            self._define(sparse.values.name, Value(None, None))
        for proto in graph.initializer:
            if proto.name not in inputs:
                self._define(proto.name, self._leaf(file.tensor(proto)))
        for number, node in enumerate(graph.node):
            step = Step(node, number)
            try:
                self._add(step, node)
            except (Unreadable, NoMeaning) as error:
                raise Unreadable(f"{file.path}: {step.label}: {error}") from None
        self._check_declarations(graph)
        self._makers = {name: number for number, step in enumerate(self.steps) for name in step.outputs if name}
        for step in self.steps_for(self.outputs):
            step.is_needed = True
        known = [value for value in self.values.values() if value.size is not None]
        self.elements = sum(value.elements for value in self.values.values()) + self.sizes.applied
        self.degree = max([1, *(value.size.degree for value in known)])
        self.length = max([self.sizes.longest, *(value.size.length for value in known)])
    def _define(self, name, value):
        unreadable_if(not name or name in self.values, f"{self.file.path}: value {shown(name)} is defined twice")
        self.values[name] = value
    def _leaf(self, stored):
        leaf = self._constant(stored)
        made = self.sizes.leaf(leaf.kind, "", stored, stored.shape)
        return Value(stored.type, stored.shape, leaf.size or made.note, leaf, leaf.structure or made.structure, is_constant=True)
    def _add(self, step, node):
        domain = plain_domain(node.domain)
        for name in node.input:
            unreadable_if(name and name not in self.values, f"reads {shown(name)}, which nothing before it makes")
        operands = [self.values[name] if name else None for name in node.input]
        is_call = bool(getattr(node, "overload", ""))
        unreadable_if(is_call and not self._is_copy, "calls a function")
        try:
            meaningless_if(domain or is_call, "another domain")
            if node.op_type == "Constant":
                self._define(node.output[0], self._leaf(nodes.constant_of(node, self.file)))
            else:
                self._add_known(step, node, operands)
        except NoMeaning:
            self._add_opaque(step, node, operands)
    def _add_known(self, step, node, operands):
        present = [operand for operand in operands if operand is not None]
        call = self._call(node, operands)
        meaningless_if(any(operand.shape is None for operand in present), "the shape of an operand is unknown")
        operator = find(node.op_type)
        if node.op_type in integers.OF_SHAPES or present and all(operand.is_known for operand in present):
            try:
                return self._define_integers(node, self._on_integers(call, operator))
            except NoMeaning:
                pass
        meaningless_if(operator is None, "no meaning is known")
        self._add_operator(step, node, call, operator)
    @staticmethod
    def _on_integers(call, operator):
        pure = integers.find(call.op_type)
        if pure is not None:
            return [pure(call)]
        meaningless_if(operator is None, "no meaning is known")
        operator.check(call)
        operands = call.operands[: operator.tensors[1]]
        type_name = integers.type_of(operator, call, operands)
        sizes = Sizes()
        for ring in (sizes, Integers()):  # first how large it gets
            results = operator.results(call, ring, [o and ring.leaf("exact", "", o.stored, o.shape) for o in operands])
            largest = max(math.prod(r.shape) for r in results)
            is_large = sizes.work > _MOST_WORK_ON_INTEGERS or largest > integers.MOST_ELEMENTS
            meaningless_if(is_large, "too large for the arithmetic of shapes")
        return [integers.result(type_name, r.array.reshape(-1), r.shape) for r in results]
    def _define_integers(self, node, results):
        meaningless_if(len(results) < len([name for name in node.output if name]), "another number of results")
        for name, stored in zip(node.output, results):
            if name:
                self._define(name, self._leaf(stored))
    def _add_operator(self, step, node, call, operator):
        operator.check(call)
        operands = call.operands[: operator.tensors[1]]
        present = [operand for operand in operands if operand is not None]
        type_name, ring = operator.type_of(call), self.sizes
        step.moves = operator.moves(call)
        numbers = [FINITE] * len(node.output)
        if any(o.numbers for o in present):
            numbers = _numbers_made(operator, call, operands, Infinities())
        before = ring.work
        results = operator.results(call, ring, [o and ring.taken(o) for o in operands])
        step.work = ring.work - before
        meaningless_if(any(node.output[len(results) :]), "another number of results")
        step.operator, step.call = operator, call
        step.is_constant = all(operand.is_constant for operand in present)
        is_opaque = any(operand.is_opaque for operand in present)
        for name, result, kinds_of in zip(node.output, results, numbers):
            if name:
                what = tuple(result.shape), result.note, None, result.structure
                self._define(name, Value(type_name, *what, step.is_constant, kinds_of, is_opaque))
                self.values[name].of_constants = all(operand.of_constants for operand in present)
        self.steps.append(step)
    def _add_opaque(self, step, node, operands):
        said = [digests.text(self._unchecked.get(name, "")) for name in node.output]
        step.content = b"" if self._is_copy else digests.derived("opaque", nodes.content(node, self.file), *said)
        found = [b"" if o is None else o.structure for o in operands]
        structure = digests.derived("node", step.content, *map(digests.text, found))
        self.opaque.add(structure)
        self.sizes.noted += sum(operand.elements for operand in operands if operand is not None)
        self.sizes.spend(sum(64 * operand.elements for operand in operands if operand is not None))
        present = [operand for operand in operands if operand is not None]
        of_constants = bool(present) and all(operand.of_constants for operand in present)
        numbers = self._numbers_of_opaque(node, operands)
        for i, (name, (type_name, shape)) in enumerate(zip(node.output, types_of(node, self.file, operands))):
            step.shapes.append(shape if name else None)
            if name:
                made = None if shape is None else self.sizes.made("", (), shape, VARIABLE)
                known = type_name, shape, made and made.note, None, digests.derived("result", structure, digests.number(i))
                beyond = _made_of_constants(node, present, type_name) if of_constants else FINITE
                kinds_of = max(numbers, beyond) if type_name in _WITH_INFINITY else FINITE
                self._define(name, Value(*known, False, kinds_of, True))
                self.values[name].of_constants = of_constants
        self.steps.append(step)
    def _numbers_of_opaque(self, node, operands):
        """By its definition, where it has no meaning only because it computes with what may be infinite."""
        numbers = FINITE if self._is_copy else nodes.numbers_in(node, self.file)
        present = [operand for operand in operands if operand is not None]
        if not any(operand.numbers for operand in present):
            return numbers
        operator = find(node.op_type)
        is_other = plain_domain(node.domain) or getattr(node, "overload", "") or operator is None
        if is_other or any(operand.shape is None for operand in present):
            return NO_NUMBER
        try:
            call = self._call(node, operands)
            operator.check(call)
            return max(numbers, *_numbers_made(operator, call, call.operands[: operator.tensors[1]], Infinities(is_lenient=True)))
        except (Unreadable, NoMeaning):
            return NO_NUMBER
    def _call(self, node, operands):
        nodes.check_form(node, self.file.opsets[""], [operand and operand.type for operand in operands])
        return Call(node, self.file.opsets[""], nodes.attributes_of(node, self.file), operands)
    def _check_declarations(self, graph):
        for value in (*graph.value_info, *graph.output):
            found = self.values.get(value.name)
            if found is not None and value.HasField("type"):
                declared = tensors.Declared(value, self.file.path, self._is_copy)
                is_other = found.shape is not None and declared.contradicts(found.type, None)  # extents may be stale
                unreadable_if(is_other, f"{self.file.path}: value {shown(value.name)} is declared otherwise")
        for name in self.outputs:
            unreadable_if(name not in self.values, f"{self.file.path}: nothing makes output {shown(name)}")
        is_odd = not self.outputs or len(set(self.outputs)) != len(self.outputs)
        unreadable_if(is_odd, f"{self.file.path}: no outputs, or one of them twice")
    def constants(self):
        """All that nobody can override: initialisers, Constant nodes, what is computed from integers."""
        return [value.stored for value in self.values.values() if value.stored is not None]
    def run(self, ring, leaf, wanted=None, constants_only=False, visit=None, given=()):
        """The wanted values (all outputs) by name, each a tensor of the ring or an `Opaque`; `leaf(name, value)` yields
        the tensor of a leaf, and of the values that are `given`, and `visit(step, name, tensor)` sees results."""
        names = self.outputs if wanted is None else wanted
        steps = [s for s in self.steps_for(wanted, given) if s.is_constant or not constants_only]
        uses, held = _uses(steps, names), {}
        def fetch(name):
            if name not in held or name in given:
                value = self.values[name]
                held[name] = leaf(name, value) if value.leaf or name in given else None
            uses[name] -= 1
            return held[name] if uses[name] else held.pop(name)
        for step in steps:
            operands = {name: fetch(name) for name in step.reads}
            ring.needed = step.is_needed
            for name, result in zip(step.outputs, self._evaluate(step, ring, operands)):
                if name and visit is not None:
                    visit(step, name, result)
                if uses[name] and name:
                    held[name] = result
        return {} if constants_only else {name: fetch(name) for name in names}
    def most_held(self):
        """How many elements `run` holds at once."""
        uses, seen, number, most = _uses(self.steps, self.outputs), set(), 0, 0
        def elements(names):
            return sum(self.values[name].elements for name in names)
        for step in self.steps:
            met = {name for name in (*step.reads, *step.outputs) if name}
            number += elements(met - seen)
            most = max(most, number)
            uses.subtract(step.reads)
            number -= elements(name for name in met if uses[name] <= 0)  # read for the last time
            seen |= met
        return max(most, elements(self.outputs))
    def steps_for(self, wanted, given=()):
        """Found from what is wanted backwards, up to what is given: a program of many results is asked for each of them."""
        if wanted is None:
            return self.steps
        pending, found = list(wanted), set()
        while pending:
            number = None if (name := pending.pop()) in given else self._makers.get(name)
            if number is not None and number not in found:
                found.add(number)
                pending += self.steps[number].reads
        return [self.steps[number] for number in sorted(found)]
    def _evaluate(self, step, ring, operands):
        if step.operator is None:
            types = [self.values[name].type if name else None for name in step.inputs]
            return ring.opaque(step, [operands.get(name) for name in step.inputs], types)
        given = [operands.get(name) for name in step.inputs[: step.operator.tensors[1]]]
        return step.operator.results(step.call, ring, given)

def _numbers_made(operator, call, operands, marks):
    return [result.structure for result in operator.results(call, marks, [o and marks.taken(o) for o in operands])]

def _made_of_constants(node, operands, type_name):
    """Floats hold whatever a node makes of integers, or of a finite number of fewer bits; a Cast at worst leaves them."""
    is_cast = node.op_type == "Cast"
    is_wider = is_cast and operands[0].stored is not None and operands[0].type in ("float16", "bfloat16")
    is_held = is_wider or all(operand.type in _WITHOUT_FRACTION for operand in operands)
    return FINITE if is_held and type_name in ("float", "double") else INFINITE if is_cast else NO_NUMBER

def _uses(steps, names):
    return collections.Counter([*names, *(name for step in steps for name in step.reads)])
