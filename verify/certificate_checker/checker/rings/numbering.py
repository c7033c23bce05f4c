"""What tells expressions apart, in whatever order their axes stand: values of one digest are equal."""
import math
from typing import NamedTuple
from .. import digests, functions
from .ring import Opaque, Tensor
from .sizes import VARIABLE, Sizes

class Applied(NamedTuple):
    """A tensor that something is applied to; `order`: of its axes, where `key` speaks of them in another one."""
    of: str
    key: tuple
    order: tuple | None
    is_total: bool = True

class Numbering(Sizes):
    """The ring of sizes, whose digests are the same where axes are moved there and back, where nothing is done, and of sums and
    products in either order. `orders`, which both programs share, holds by digest what is another value with its axes in
    another order: that value, and the order; `varying`, shared too, what is of more than constants. `arguments`: as `Residues`
    lists it, tensor by tensor."""
    def __init__(self, orders, varying):
        super().__init__()
        self.orders, self.varying, self.arguments, self.opaque_nodes = orders, varying, [], {}
        self.is_partial = False  # whether a function that is not defined everywhere was applied since somebody last asked
    def made(self, how, operands, *cost, **costs):
        made = super().made(how, operands, *cost, **costs)
        if any(x.structure in self.varying for x in operands):
            self.varying.add(made.structure)
        return made
    def transpose(self, x, order):
        base, first = self.orders.get(x.structure, (x, range(len(x.shape))))
        order = tuple(first[i] for i in order)
        if order == tuple(range(len(order))):
            return base
        made = super().transpose(base, order)
        self.orders[made.structure] = base, order
        return made
    def reshape(self, x, shape):
        return x if tuple(shape) == tuple(x.shape) else super().reshape(x, shape)
    def slice(self, x, slices):
        return x if all(range(x.shape[i])[which] == range(x.shape[i]) for i, which in slices.items()) else super().slice(x, slices)
    def pad(self, x, before, after):
        return super().pad(x, before, after) if any(before) or any(after) else x
    def add(self, *operands):
        return self._moved(*self._unmoved(super().add, sorted(operands, key=lambda x: x.structure)))
    def multiply(self, *operands):
        return self._moved(*self._unmoved(super().multiply, sorted(operands, key=lambda x: x.structure)))
    def _unmoved(self, made_of, operands):
        """What is made of operands element by element, and an order of its axes that is missing: where all were moved in one
        way (or are single elements), it is made of what they were before."""
        found = {self.orders.get(x.structure, (None, None))[1] for x in operands if math.prod(x.shape) != 1}
        order = found.pop() if len(found) == 1 else None
        if order is None or any(len(x.shape) > len(order) for x in operands):
            return made_of(*operands), None
        return made_of(*(x if math.prod(x.shape) == 1 else self.orders[x.structure][0] for x in operands)), order
    def _moved(self, x, order):
        return x if order is None else self.transpose(x, order)
    def apply(self, function, parameters, elements, window=None):
        if window is not None:
            self._note("a window", ("window", window.source.structure), None, True)
        def made_of(*elements):
            return super(Numbering, self).apply(function, parameters, list(elements), window)
        made, order = self._unmoved(made_of, elements) if window is None else (made_of(*elements), None)
        self.is_partial |= not (is_total := functions.of(function).is_total) and made.structure in self.varying
        for place in range(max(1, len(elements))):
            self._note(function, (made.structure, place), order, is_total)
        return self._moved(made, order)
    def _note(self, *what):
        if self.needed:
            self.arguments.append(Applied(*what))
    def opaque(self, step, operands, types):
        found = [b"" if x is None else x.digest if isinstance(x, Opaque) else x.structure for x in operands]
        digest = digests.derived("node", step.content, *map(digests.text, found))
        self.opaque_nodes.setdefault(digest, step.label)
        self.is_partial = True
        for place, _ in filter(lambda each: isinstance(each[1], Tensor), enumerate(operands)):
            self._note(step.label, (digest, place), None, True)
        made = [digests.derived("result", digest, digests.number(i)) for i in range(len(step.shapes))]
        self.varying.update(made)
        return [Opaque(one) if shape is None else Tensor(self.made("", (), shape, VARIABLE).array, VARIABLE, one)
                for one, shape in zip(made, step.shapes)]
