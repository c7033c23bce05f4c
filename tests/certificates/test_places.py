"""Evidence by places: pairs that hold are valid, and every kind of wrong one is refused, each for its own reason."""

import contextlib
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import maker
import networks
import numpy as np
from checker.rings.thin import Thin, ThinTensor
from networks import F, node
from test_certificates import checked
from test_weights import programs


def _said(first, second, pairs, **options):
    """Of two models: exit code and what is printed of a certificate that claims these pairs."""
    with tempfile.TemporaryDirectory() as folder:
        return checked(maker.written(folder, first, second, engine="places", pairs=pairs, **options))


class Networks:
    """Pairs of equal files with their evidence, each a function without arguments."""

    @staticmethod
    def fast_convolution():
        """In another layout, as a product of matrices, and back behind a function."""
        rng = np.random.default_rng(1)
        w, b = networks._floats(rng, 8, 6, 1, 1), networks._floats(rng, 8)
        types = {"x": [2, 6, 4, 4]}, {"y": [2, 8, 4, 4]}
        ends = [node("Neg", ["q"], ["y"])]
        first = [node("Conv", ["x", "w", "b"], ["c"]), node("Relu", ["c"], ["q"]), *ends]
        second = [node("Transpose", ["x"], ["t"], perm=[0, 2, 3, 1]), node("Reshape", ["w", "s"], ["w2"]),
                  node("Transpose", ["w2"], ["w3"], perm=[1, 0]), node("MatMul", ["t", "w3"], ["m"]),
                  node("Add", ["m", "b"], ["c"]), node("Relu", ["c"], ["r"]),
                  node("Transpose", ["r"], ["q"], perm=[0, 3, 1, 2]), *ends]
        constants = {"w": w, "b": b}
        return (maker.model(first, *types, constants), maker.model(second, *types, {**constants, "s": np.array([8, 6])}),
                [("c", "c", ["x"], [0, 2, 3, 1])])

    @staticmethod
    def transposed_weights():
        rng = np.random.default_rng(2)
        w = networks._floats(rng, 6, 5)
        types = {"x": [3, 6]}, {"y": [3, 5]}
        text = programs([node("Transpose", ["w"], ["t"], perm=[1, 0])], {"w": w}, {"t": np.ascontiguousarray(w.T)})
        first = maker.model([node("MatMul", ["x", "w"], ["m"]), node("Relu", ["m"], ["y"])], *types, {"w": w})
        second = [node("Transpose", ["x"], ["xt"], perm=[1, 0]), node("MatMul", ["t", "xt"], ["m"]), node("Relu", ["m"], ["r"]),
                  node("Transpose", ["r"], ["y"], perm=[1, 0])]
        return first, maker.model(second, *types, {"t": np.ascontiguousarray(w.T)}, metadata=text), [("m", "m", ["x"], [1, 0])]

    @staticmethod
    def exchanged():
        return *networks.exchanged(), networks.EXCHANGED

    @staticmethod
    def folded():
        """Scales in a weight, by a weight program."""
        return *networks.folded(), [("m", "m", ["x"])]

    ALL = ("fast_convolution", "transposed_weights", "exchanged", "folded")


class Valid(unittest.TestCase):
    def test_networks(self):
        for name in Networks.ALL:
            with self.subTest(name):
                code, said = _said(*getattr(Networks, name)())
                self.assertEqual((code, said[:22]), (0, "valid: own error 2^-" + said[20:22]), said)

    def test_what_follows_needs_no_pair(self):
        """Movements there and back, functions of moved axes, sums in another order."""
        first = [node("Relu", ["x"], ["r"]), node("Add", ["r", "x"], ["y"])]
        second = [node("Transpose", ["x"], ["t"], perm=[2, 0, 1]), node("Relu", ["t"], ["r"]), node("Add", ["t", "r"], ["s"]),
                  node("Transpose", ["s"], ["y"], perm=[1, 2, 0])]
        types = {"x": [2, 3, 4]}, {"y": [2, 3, 4]}
        self.assertEqual(_said(maker.model(first, *types), maker.model(second, *types), [])[0], 0)


class Tampered(unittest.TestCase):
    def _refused(self, obligation, models, pairs, **options):
        code, said = _said(*models, pairs, **options)
        self.assertEqual((code, said.split(":")[1].strip() if code == 6 else said), (6, obligation), said)

    def test_pairs(self):
        first, second, (one, other) = Networks.exchanged()
        models = first, second
        self._refused("equality", models, [one])
        self._refused("equality", models, [])
        self._refused("places", models, [other, one])  # evidence before what it is made of
        self._refused("places", models, [one, other, other])
        self._refused("places", models, [("b", "q", []), other])  # the input is left out
        self._refused("places", models, [("b", "q", ["c"]), other])
        self._refused("places", models, [one, ("y", "y", ["x"])])  # a function between
        self._refused("places", models, [("a", "q", ["x"]), other])  # another shape
        self._refused("places", models, [("c", "q", ["x"]), other])  # not what it is
        self._refused("places", models, [("b", "q", ["x"], [0, 1, 3, 2]), other])
        self._refused("places", models, [("b", "q", ["x"], [0, 1, 2]), other])
        self._refused("places", models, [("b", "q", ["x"], [0, 1, 2, 2]), other])
        self._refused("places", models, [("b", "none", ["x"]), other])
        self._refused("places", models, [("none", "q", ["x"]), other])
        self._refused("places", models, [("b", "q", ["none"]), other])
        self._refused("places", models, [("b", "p", ["x"]), other])
        self._refused("places", models, [("b", "q", ["x", "w"]), other])  # a constant is none to begin at
        self._refused("places", (second, first), [one, other])

    def test_orders(self):
        first, second, (pair,) = Networks.fast_convolution()
        for order in (None, [0, 3, 2, 1], [0, 3, 1, 2], [0, 1, 2, 3]):
            self._refused("places", (first, second), [(*pair[:3], order)])
        self._refused("places", (first, second), [("q", "c", ["x"], pair[3])])

    def test_other_files(self):
        models, others = (getattr(Networks, name)() for name in ("exchanged", "transposed_weights"))
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
            paths = maker.written(folder, *models[:2], engine="places", pairs=models[2])
            elsewhere = maker.written(other, *others[:2], engine="places", pairs=others[2])
            self.assertEqual(checked(paths)[0], 0)
            for change in ([paths[0], *elsewhere[1:]], [paths[0], paths[2], paths[1]], [paths[0], paths[1], paths[1]]):
                code, said = checked(change)
                self.assertEqual((code, said[:16]), (6, "refused: digests"), said)

    def test_fields(self):
        first, second, pairs = Networks.exchanged()
        with tempfile.TemporaryDirectory() as folder:
            paths = maker.written(folder, first, second, engine="places", pairs=pairs)
            good = json.loads(Path(paths[0]).read_text())
            changes = [("pairs", None), ("pairs", {}), ("seed", None), ("engine", "place"), ("engine", ["places"])]
            told = [("a", ""), ("a", None), ("b", 1), ("order", [0.0, 1, 2, 3]), ("order", [True, 0, 2, 3]), ("order", "0123"),
                    ("from", "x"), ("from", ["x", "x"]), ("from", [None]), ("from", None), ("more", 1)]
            for field, value in changes + told:
                bad = json.loads(json.dumps(good))
                of = bad["evidence"] if (field, value) in changes else bad["evidence"]["pairs"][0]
                of[field] = value
                Path(paths[0]).write_text(json.dumps(bad))
                with self.subTest(field, value=value):
                    code, said = checked(paths)
                    self.assertEqual((code, said[:15]), (6, "refused: format"), said)


def _plain(positions):
    """What reads only the positions of a thin axis that there are: the first ones, and what lies beyond as the last."""
    def read(array, axis):
        n = array.shape[axis + 1]
        return np.take(array, [min(p, n - 1) for p in list(positions)[:n]], axis=axis + 1)
    return read


class Careless:
    """The ring without one of its checks each: what would be believed then."""

    @staticmethod
    @contextlib.contextmanager
    def slices():
        """A part of an axis counts as the axis."""
        def careless(ring, x, slices):
            def compute(axes):
                array = x.array
                for i, one in slices.items():
                    array = _plain(range(x.shape[i])[one])(array, i)
                return array
            shape = [len(range(n)[slices.get(i, slice(None))]) for i, n in enumerate(x.shape)]
            axes = [[] if n == 1 else axis for n, axis in zip(shape, x.axes)]
            return ring._result(axes, shape, [[x]], compute, [x])
        with mock.patch.object(Thin, "slice", careless):
            yield

    @staticmethod
    @contextlib.contextmanager
    def tables():
        """Positions from a table count as the axis."""
        def careless(ring, x, positions, axis):
            return ring._result(x.axes, x.shape, [[x]], lambda axes: _plain(positions)(x.array, axis), [x])
        with mock.patch.object(Thin, "take", careless):
            yield

    @staticmethod
    @contextlib.contextmanager
    def numbers():
        """Known numbers have digits like free values."""
        leaf = Thin.leaf
        def careless(ring, kind, name, stored, shape):
            if kind != "exact":
                return leaf(ring, kind, name, stored, shape)
            def compute(axes):
                array = super(Thin, ring).leaf(kind, name, stored, shape).array
                for i, n in enumerate(ring._extents(axes)):
                    array = _plain(range(shape[i]))(array, i)[(slice(None),) * (i + 1) + (slice(0, n),)]
                return array
            return ring._result(ring._new(shape, False), shape, [], compute, [])
        with mock.patch.object(Thin, "leaf", careless):
            yield

    @staticmethod
    @contextlib.contextmanager
    def parts():
        """An axis of joined parts counts as a plain one."""
        def careless(ring, parts, axis):
            shape = list(parts[0].shape)
            for i in set(range(len(shape))) - {axis}:
                ring._digits.unite(*(x.axes[i] for x in parts))
            shape[axis] = sum(x.shape[axis] for x in parts)
            axes = [ring._digits.axis(n) if i == axis else of for i, (n, of) in enumerate(zip(shape, parts[0].axes))]
            def compute(axes):
                array = np.concatenate([x.array for x in parts], axis=axis + 1)
                return _plain(range(ring._extents(axes)[axis]))(array[:, :, : ring._extents(axes)[axis]], axis)
            return ring._result(axes, shape, [[x] for x in parts], compute, parts)
        with mock.patch.object(Thin, "concat", careless):
            yield

    @staticmethod
    def repeated():
        """A class may stand at two variables."""
        return mock.patch.object(Thin, "_spoil_repeated", lambda ring, terms: None)

    @staticmethod
    def sums():
        """Products may sum over a class twice, or sum over it and have it; functions may be of such sums."""
        return mock.patch.object(Thin, "_is_summed_once", lambda ring, digit, terms: True)

    @staticmethod
    @contextlib.contextmanager
    def functions():
        """Functions may be of sums over a class."""
        once = Thin._is_summed_once
        def careless(ring, digit, terms):
            arguments, ring._arguments = ring._arguments, []
            try:
                return once(ring, digit, terms)
            finally:
                ring._arguments = arguments
        with mock.patch.object(Thin, "_is_summed_once", careless):
            yield

    @staticmethod
    def others():
        """No place stands for the others."""
        return mock.patch.object(Thin, "_PLACES", 1)

    @staticmethod
    @contextlib.contextmanager
    def extents():
        """Nor do operators see how many there were."""
        plain = ThinTensor.shape
        seen = property(lambda x: plain.__get__(x) if x.array is None else x.array.shape[1:], plain.__set__)
        with Careless.others(), mock.patch.object(ThinTensor, "shape", seen):
            yield


def _wrong_pairs():
    """By name: which checks keep it out; both lists of nodes; inputs, output, constants of both, of the second alone."""
    n = 4
    w, v = np.arange(1, n + 1, dtype=F).reshape(n), np.arange(3, n + 3, dtype=F).reshape(n)
    at = {"0": np.array([0]), "1": np.array([1]), "2": np.array([2]), "-1": np.array([-1]), "-9": np.array([-9]), "n": np.array([n]),
          "n-1": np.array([n - 1]), "pi": np.array([0, 2, 3, 1]), "two": np.array(2, F)}
    column, row = {"x": [3, 1]}, {"x": [3, n]}
    def total(read, made, axis="1"):
        return node("ReduceSum", [read, axis], [made], keepdims=1)
    reversed_w = node("Slice", ["w", "-1", "-9", "0", "-1"], ["r"])
    scaled = [node("Mul", ["x", "w"], ["y"])]
    conv = np.arange(n * n, dtype=F).reshape(n, n, 1, 1)
    residual = [node("Conv", ["x", "k"], ["c"])]
    return {
        "x W[f] and x W[0]": (["slices"], scaled, [node("Slice", ["w", "0", "1"], ["p"]), node("Expand", ["p", "n"], ["q"]),
                              node("Mul", ["x", "q"], ["y"])], column, [3, n], {"w": w}, at),
        "2x W[0] and 2x W[f]": (["slices"], [node("Mul", ["x", "two"], ["a"]), node("Slice", ["w", "0", "1"], ["p"]),
                                             node("Expand", ["p", "n"], ["q"]), node("Mul", ["a", "q"], ["y"])],
                                [node("Mul", ["x", "two"], ["a"]), node("Mul", ["a", "w"], ["y"])], row, [3, n], {"w": w, **at}, {}),
        "W[f] and W[p(f)]": (["tables"], scaled, [node("Gather", ["w", "pi"], ["q"], axis=0), node("Mul", ["x", "q"], ["y"])],
                             column, [3, n], {"w": w}, at),
        "W[f] + W[F-1-f] and 2 W[f]": (["slices"], [reversed_w, node("Add", ["w", "r"], ["s"]), node("Mul", ["x", "s"], ["y"])],
                                       [node("Mul", ["w", "two"], ["s"]), node("Mul", ["x", "s"], ["y"])],
                                       column, [3, n], {"w": w, **at}, {}),
        "conv + x[f] and conv + x[0]": (["slices", "repeated", "sums"], [*residual, node("Add", ["c", "x"], ["y"])],
                                        [*residual, node("Slice", ["x", "0", "1", "1"], ["p"]), node("Add", ["c", "p"], ["y"])],
                                        {"x": [1, n, 2, 2]}, [1, n, 2, 2], {"k": conv}, at),
        "known numbers and others": (["numbers"], [node("Identity", ["x"], ["y"])], [node("Mul", ["x", "s"], ["y"])], row, [3, n], {},
                                     {"s": np.array([1, 2, 3, 4], F)}),
        "(sum xw)(sum yv) and sum xwyv": (["sums"], [node("Mul", ["x", "w"], ["a"]), node("Mul", ["z", "v"], ["b"]), total("a", "c"),
                                          total("b", "d"), node("Mul", ["c", "d"], ["y"])],
                                          [node("Mul", ["x", "w"], ["a"]), node("Mul", ["z", "v"], ["b"]), node("Mul", ["a", "b"], ["c"]),
                                           total("c", "y")], {"x": [3, n], "z": [3, n]}, [3, 1], {"w": w, "v": v, **at}, {}),
        "(sum x)^2 and sum x^2": (["sums"], [total("x", "s"), node("Mul", ["s", "s"], ["y"])],
                                  [node("Mul", ["x", "x"], ["s"]), total("s", "y")], row, [3, 1], at, {}),
        "the last channel sliced off": (["slices"], [total("x", "y")], [node("Slice", ["x", "0", "n-1", "1"], ["p"]), total("p", "y")],
                                        row, [3, 1], at, {}),
        "sum xw + b and sum (xw + b)": (["others"], [node("Mul", ["x", "w"], ["a"]), total("a", "c"), node("Add", ["c", "b"], ["y"])],
                                        [node("Mul", ["x", "w"], ["a"]), node("Add", ["a", "b"], ["c"]), total("c", "y")],
                                        row, [3, 1], {"w": w, "b": F(3), **at}, {}),
        "mean and sum": (["extents"], [node("ReduceMean", ["x"], ["y"], axes=[1])], [node("ReduceSum", ["x", "1"], ["y"])],
                         row, [3, 1], at, {}),
        "x x' on its diagonal": (["repeated"], [node("Transpose", ["x"], ["t"], perm=[1, 0]), node("MatMul", ["x", "t"], ["y"])],
                                 [node("Mul", ["x", "x"], ["s"]), total("s", "d"), node("Expand", ["d", "n"], ["y"])],
                                 {"x": [n, 3]}, [n, n], at, {}),
        "x[f] + sum x and 2 x[f]": (["sums"], [total("x", "s"), node("Add", ["x", "s"], ["y"])], [node("Mul", ["x", "two"], ["y"])],
                                    row, [3, n], at, {}),
        "parts and others": (["parts"], [node("Concat", ["x", "z"], ["y"], axis=1)], [node("Concat", ["x", "x"], ["y"], axis=1)],
                             {"x": [3, n], "z": [3, n]}, [3, 2 * n], {}, {}),
        "f(sum w) and sum f(w)": (["functions"], [total("w", "s", "0"), node("Exp", ["s"], ["e"]), node("Mul", ["x", "e"], ["y"])],
                                  [node("Exp", ["w"], ["e"]), total("e", "s", "0"), node("Mul", ["x", "s"], ["y"])],
                                  {"x": [3, 1]}, [3, 1], {"w": w, **at}, {}),
        "a square and its transpose": (["repeated"], [node("Identity", ["x"], ["y"])], [node("Transpose", ["x"], ["y"], perm=[1, 0])],
                                       {"x": [n, n]}, [n, n], {}, {}),
    }


class Symmetry(unittest.TestCase):
    """Pairs that are equal at one place and wrong at others: refused, and by that check alone."""

    def test_wrong_pairs(self):
        for name, (checks, first, second, inputs, output, shared, more) in _wrong_pairs().items():
            models = [maker.model(nodes, inputs, {"y": output}, constants)
                      for nodes, constants in ((first, shared), (second, {**shared, **more}))]
            pairs = [("y", "y", list(inputs))]
            with self.subTest(name):
                code, said = _said(*models, pairs)
                self.assertEqual((code, said[:15]), (6, "refused: places"), said)
                self.assertIn("is not 'y' of the first", said)
                with contextlib.ExitStack() as without:
                    for check in checks:
                        without.enter_context(getattr(Careless, check)())
                    code, said = _said(*models, pairs)
                    # Whatever else speaks against it: the pair itself is believed.
                    self.assertTrue(code == 0 or said.startswith("refused: conditioning"), said)

    def test_what_is_free(self):
        """Right pairs are looked at in few places, of digits that are spoiled in all."""
        first, second, pairs = Networks.exchanged()
        seen = []
        decide = Thin.decide
        def noted(ring, results):
            decide(ring, results)
            seen.append(sorted(ring._places.values()))
        with mock.patch.object(Thin, "decide", noted):
            self.assertEqual(_said(first, second, pairs)[0], 0)
        self.assertEqual(seen, [[1, 2], [1, 2]])


    def test_blocks(self):
        """A bias in one of three blocks of zeros, as fast convolutions have it, is looked at in one place; shifted it is not."""
        types = {"x": [2, 12]}, {"y": [2, 12]}
        constants = {"w": np.arange(4, dtype=F), "rows": np.array([1, 4]), "row": np.array([1, 0, 1, 0]), "flat": np.array([12]),
                     "4": np.array([4, 4]), "3": np.array([3, 5]),
                     "8": np.array([0, 8])}
        first = [node("Reshape", ["w", "rows"], ["r"]), node("Pad", ["r", "row"], ["p"]), node("Reshape", ["p", "flat"], ["v"]),
                 node("Add", ["x", "v"], ["y"])]
        decide, seen = Thin.decide, []
        def noted(ring, results):
            decide(ring, results)
            seen.append(sorted(ring._places.values()))
        for pads, expected, places in (("4", 0, [1, 1]), ("8", 6, [1, 1]), ("3", 6, [1])):
            second = [node("Pad", ["w", pads], ["v"]), node("Add", ["v", "x"], ["y"])]
            models = [maker.model(nodes, *types, constants) for nodes in (first, second)]
            with mock.patch.object(Thin, "decide", noted):
                self.assertEqual(_said(*models, [("y", "y", ["x"])])[0], expected)
            self.assertEqual(seen.pop(), places)


class Domain(unittest.TestCase):
    """What is not defined everywhere: a place reads no more of it than the first file's."""

    def test_more_of_a_logarithm(self):
        at = {"0": np.array([0]), "2": np.array([2]), "4": np.array([4]), "1": np.array([1])}
        part = [node("Log", ["x"], ["u"]), node("Slice", ["u", "0", "2", "1"], ["p"])]
        rest = [node("Slice", ["u", "2", "4", "1"], ["v"]), node("Sub", ["v", "v"], ["z"]), node("ReduceSum", ["z", "1"], ["s"])]
        models = [maker.model(nodes, {"x": [3, 4]}, {"y": [3, 2]}, at)
                  for nodes in ([*part, node("Neg", ["p"], ["q"]), node("Neg", ["q"], ["y"])], [*part, *rest, node("Add", ["p", "s"], ["y"])])]
        code, said = _said(*models, [("y", "y", ["u"])])
        self.assertEqual((code, said[:15]), (6, "refused: domain"), said)

    def test_a_function_of_something_else(self):
        """Of a value that the first never applies it to, though nothing comes of it."""
        models = [maker.model(nodes, {"x": [3]}, {"y": [3]}, {"0": F(0)})
                  for nodes in ([node("Neg", ["x"], ["y"])],
                                [node("Sqrt", ["x"], ["s"]), node("Sub", ["s", "s"], ["z"]), node("Sub", ["z", "x"], ["y"])])]
        for pairs, obligation in (([("y", "y", ["x"])], "places"), ([], "equality")):
            code, said = _said(*models, pairs)
            self.assertEqual((code, said.split(":")[1].strip()), (6, obligation), said)


if __name__ == "__main__":
    unittest.main()
