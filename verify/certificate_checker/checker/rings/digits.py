"""Axes as digits: an axis of extent 12 that is somewhere read as 3 by 4 is two of them. Digits that are read at the same
variable are one class. A class is spoiled where one of them is read in any other way."""

class Digits:
    """Digits are numbers; of a class, or of the digits that it is made of, the oldest stands for all."""
    def __init__(self):
        self._parents, self.extents, self._parts, self.is_spoiled = [], [], [], []
    def axis(self, extent, is_spoiled=False):
        """A new axis; of extent 1 it has no digit."""
        if extent == 1:
            return []
        for of, value in zip((self._parents, self.extents, self._parts, self.is_spoiled), (len(self.extents), extent, None, is_spoiled or not extent)):
            of.append(value)
        return [len(self.extents) - 1]
    def classes(self, axis):
        """Those that the axis is made of now, the outermost first."""
        out, pending = [], list(axis)[::-1]
        while pending:
            digit = pending.pop()
            while self._parents[digit] != digit:
                digit = self._parents[digit]
            out += [digit] if self._parts[digit] is None else []
            pending += (self._parts[digit] or [])[::-1]
        return out
    def spoil(self, axis):
        for digit in self.classes(axis):
            self.is_spoiled[digit] = True
    def _divide(self, digit, inner):
        """Reads a class as two digits, where `inner` divides it."""
        if inner and self.extents[digit] % inner == 0:
            outer = self.axis(self.extents[digit] // inner, self.is_spoiled[digit])
            self._parts[digit] = outer + self.axis(inner, self.is_spoiled[digit])
        return self._parts[digit]
    def unite(self, left, right):
        """Two axes that are read at the same variable."""
        while (left := self.classes(left)) and (right := self.classes(right)):
            a, b = sorted((left[-1], right[-1]), key=self.extents.__getitem__)
            if self.extents[a] == self.extents[b]:
                self._parents[max(a, b)] = min(a, b)
                self.is_spoiled[min(a, b)] |= self.is_spoiled[max(a, b)]
                left, right = left[:-1], right[:-1]
            elif not self._divide(b, self.extents[a]):
                break
        self.spoil([*left, *right])
    def regrouped(self, axes, shape):
        """The same elements in another shape; spoiled where a digit would have to be cut unevenly."""
        whole = [d for axis in axes for d in axis]
        pending, out = self.classes(whole)[::-1], []
        for extent in shape:
            axis, rest = [], extent
            while rest > 1 and 0 not in shape:
                digit = pending.pop()
                if rest % self.extents[digit] and self.extents[digit] % rest:
                    break
                if rest % self.extents[digit]:
                    digit, inner = self._divide(digit, self.extents[digit] // rest)
                    pending.append(inner)
                axis.append(digit)
                rest //= self.extents[digit]
            if rest != 1:  # of nothing, too
                self.spoil(whole)
                return [self.axis(extent, True) for extent in shape]
            out.append(axis)
        return out
