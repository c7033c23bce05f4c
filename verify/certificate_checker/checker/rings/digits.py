"""Axes as digits: an axis of extent 12 that is somewhere read as 3 by 4 is two of them. Digits that are read at the same
variable are one class. A class is spoiled where one of them is read in any other way."""

class Digits:
    """Digits are numbers; of a class, or of the digits that it is made of, the oldest stands for all."""
    def __init__(self):
        self._parents, self._extents, self._parts, self._spoiled = [], [], [], []
    def axis(self, extent, is_spoiled=False):
        """A new axis; of extent 1 it has no digit."""
        if extent == 1:
            return []
        self._parents.append(len(self._parents))
        self._extents.append(extent)
        self._parts.append(None)
        self._spoiled.append(is_spoiled or extent == 0)
        return [len(self._parents) - 1]
    def extent(self, digit):
        return self._extents[digit]
    def is_spoiled(self, digit):
        return self._spoiled[digit]
    def classes(self, axis):
        """Those that the axis is made of now, the outermost first."""
        out, pending = [], list(axis)[::-1]
        while pending:
            digit = self._found(pending.pop())
            if self._parts[digit] is None:
                out.append(digit)
            else:
                pending += self._parts[digit][::-1]
        return out
    def _found(self, digit):
        while self._parents[digit] != digit:
            digit = self._parents[digit]
        return digit
    def spoil(self, axis):
        for digit in self.classes(axis):
            self._spoiled[digit] = True
    def _divide(self, digit, inner):
        """Reads a class as two digits; None where `inner` does not divide it."""
        extent = self._extents[digit]
        if inner == 0 or extent % inner:
            return None
        self._parts[digit] = [*self.axis(extent // inner, self._spoiled[digit]), *self.axis(inner, self._spoiled[digit])]
        return self._parts[digit]
    def unite(self, one, other):
        """Two axes that are read at the same variable."""
        left, right = one, other
        while (left := self.classes(left)) and (right := self.classes(right)):
            a, b = sorted((left[-1], right[-1]), key=lambda digit: self._extents[digit])
            if self._extents[a] == self._extents[b]:
                self._parents[max(a, b)] = min(a, b)
                self._spoiled[min(a, b)] |= self._spoiled[max(a, b)]
                left, right = left[:-1], right[:-1]
            elif not self._divide(b, self._extents[a]):
                break
        self.spoil([*left, *right])
    def regrouped(self, axes, shape):
        """The same elements in another shape; spoiled where a digit would have to be cut unevenly."""
        pending, out = self.classes([d for axis in axes for d in axis])[::-1], []
        for extent in shape:
            axis, rest = [], extent
            while rest > 1 and 0 not in shape:
                digit = pending.pop()
                if rest % self._extents[digit]:
                    if self._extents[digit] % rest:
                        break
                    digit, inner = self._divide(digit, self._extents[digit] // rest)
                    pending.append(inner)
                axis.append(digit)
                rest //= self._extents[digit]
            if rest != 1:  # of nothing, too
                for axis in axes:
                    self.spoil(axis)
                return [self.axis(extent, True) for extent in shape]
            out.append(axis)
        return out
