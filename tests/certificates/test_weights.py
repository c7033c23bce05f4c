"""Weight programs: what is rounded correctly is accepted, what is a bit off is not."""

import base64
import json
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path
from unittest import mock

import maker
import numpy as np
import onnx
from checker import weights
from checker.__main__ import main
from checker.digests import of_tensor
from checker.refusals import NoMeaning, Refused
from checker.rings import enclosures, residues
from onnx.helper import make_node, make_tensor_value_info
from operators.parts import enclosed

F = np.float32

class Counted(list):
    """How many of its elements anybody looked at."""
    looked_at = 0
    def __getitem__(self, number):
        self.looked_at += 1
        return super().__getitem__(number)
    def __iter__(self):
        for element in super().__iter__():
            self.looked_at += 1
            yield element
    def __reversed__(self):
        return iter([*self][::-1])


def digest(array):
    return of_tensor(1, array.shape, np.ascontiguousarray(array).reshape(-1)).hex()


def programs(nodes, operands, result, constants=()):
    """The metadata text; `operands` and `result`: name in `nodes` to array."""
    names = {name: digest(array) for name, array in operands.items()}
    (made, stored), = result.items()
    names[made] = digest(stored) + ("'" if digest(stored) in names.values() else "")
    inside = []
    for node in nodes:
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        copy.input[:] = [names.get(n, n) for n in node.input]
        copy.output[:] = [names.get(n, n) for n in node.output]
        inside.append(copy)
    kind = onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        inside, "p",
        [make_tensor_value_info(names[n], kind, a.shape) for n, a in operands.items()],
        [make_tensor_value_info(names[made], kind, stored.shape)],
        [onnx.numpy_helper.from_array(a, n) for n, a in dict(constants).items()],
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)])
    return {"pet.weight_programs": base64.b64encode(model.SerializeToString()).decode()}


class Rounding(unittest.TestCase):
    """A computes y = x * f(constants); B has f's value stored, with the program that yields it."""

    def _check(self, nodes, operands, stored, constants=(), engine="bitmap"):
        shape = list(stored.shape)
        own = {name: array for name, array in operands.items()}
        first = maker.model([*nodes, make_node("Mul", ["x", "r"], ["y"])], {"x": shape},
                            {"y": shape}, {**own, **dict(constants)})
        text = programs(nodes, operands, {"r": stored}, constants)
        end = [make_node("Mul", ["x", "k"], ["y"])], {"x": shape}, {"y": shape}, {"k": stored}
        with tempfile.TemporaryDirectory() as folder:
            paths = maker.written(folder, first, maker.model(*end, metadata=text), engine=engine)
            code = main([*paths, "--quiet"])
            if engine == "bitmap":  # and where the certificate holds the program
                held = text["pet.weight_programs"]
                paths = maker.written(folder, first, maker.model(*end), programs=held)
                self.assertEqual(main([*paths, "--quiet"]), code)
            return code

    def _accepts_only(self, nodes, operands, right, constants=()):
        self.assertEqual(self._check(nodes, operands, right, constants), 0)
        self.assertEqual(self._check(nodes, operands, right, constants, "places"), 0)
        for i in (0, right.size - 1):
            for towards in (np.inf, -np.inf):
                wrong = right.copy()
                wrong.reshape(-1)[i] = np.nextafter(wrong.reshape(-1)[i], F(towards))
                if np.isfinite(wrong).all():
                    self.assertEqual(self._check(nodes, operands, wrong, constants), 6)
                    self.assertEqual(self._check(nodes, operands, wrong, constants, "places"), 6)

    def setUp(self):
        self.rng = np.random.default_rng(5)

    def test_products(self):
        w = self.rng.standard_normal((40, 30)).astype(F)
        s = self.rng.standard_normal((40, 1)).astype(F)
        right = (w.astype(float) * s.astype(float)).astype(F)
        self._accepts_only([make_node("Mul", ["w", "s"], ["r"])], {"w": w, "s": s}, right)

    def test_ties_go_to_even(self):
        a = np.array([1, 1, 1 + 2**-23, -1, 2**-100], dtype=F)
        b = np.array([2**-24, 3 * 2.0**-24, 2**-24, -(2**-24), 2.0**-124], dtype=F)
        right = (a.astype(np.longdouble) + b.astype(np.longdouble)).astype(F)
        self.assertEqual(list(right), [1, 1 + 2**-22, 1 + 2**-22, -1, F(2**-100) * F(1 + 0)])
        self._accepts_only([make_node("Add", ["a", "b"], ["r"])], {"a": a, "b": b}, right)

    def test_ties_behind_a_division(self):
        """A third of what lies between three floats: as rare as it seems, and found in every network."""
        w = np.array([[1, 2, 3 * 2.0**-24], [1, 2, 9 * 2.0**-24]], dtype=F)
        right = np.array([[1], [1 + 2**-22]], dtype=F)
        self._accepts_only([make_node("ReduceMean", ["w"], ["r"], axes=[1])], {"w": w}, right)
        thirds = np.array([[5 / 3]], dtype=F)
        self._accepts_only([make_node("ReduceMean", ["w"], ["r"], axes=[1])], {"w": np.array([[1, 2, 2]], dtype=F)}, thirds)

    def test_almost_ties(self):
        """A tie but for something 2^-140 below: only exact arithmetic tells."""
        a = np.array([1, 1], dtype=F)
        b = np.array([2**-24, 2**-24], dtype=F)
        c = np.array([2.0**-140, -(2.0**-140)], dtype=F)
        right = np.array([1 + 2**-23, 1], dtype=F)
        nodes = [make_node("Add", ["a", "b"], ["t"]), make_node("Add", ["t", "c"], ["r"])]
        self._accepts_only(nodes, {"a": a, "b": b, "c": c}, right)

    def test_scaled_far_away_and_back(self):
        """Exactly w over the reals; floats on the way would lose it all."""
        w = np.array([1.25, -3e-5, 7e8], dtype=F)
        near, far = np.full(3, 2.0**-100, F), np.full(3, 2.0**100, F)
        nodes = [make_node("Mul", ["w", "n"], ["t"]), make_node("Mul", ["t", "n"], ["u"]),
                 make_node("Mul", ["u", "f"], ["v"]), make_node("Mul", ["v", "f"], ["r"])]
        operands = {"w": w, "n": near, "f": far}
        # The first file computes this from constants alone, in floats, to something finite.
        self.assertEqual(self._check(nodes, operands, w), 0)
        flushed = np.nextafter(w, F(0))
        self.assertEqual(self._check(nodes, operands, flushed), 6)

    def test_overflow_and_underflow(self):
        mul = [make_node("Mul", ["a", "b"], ["r"])]
        big, small = np.array([3e38, 1], dtype=F), np.array([1e-30, 1], dtype=F)
        twice, least = np.array([2, 1], dtype=F), np.array([1e-29, 1], dtype=F)
        self.assertEqual(self._check(mul, {"a": big, "b": twice}, np.array([np.inf, 1], F)), 6)
        self.assertEqual(self._check(mul, {"a": big, "b": twice}, np.array([3.4e38, 1], F)), 6)
        # 1e-59 is nearest to 0, which is not within 2^-24 of it
        self.assertEqual(self._check(mul, {"a": small, "b": least}, np.array([0, 1], F)), 6)
        # below the normal floats: nearest, but not within 2^-24
        tiny = np.array([2.0**-140 * 1.5, 1], dtype=F)
        third = np.array([0.3, 1], dtype=F)
        nearest = (tiny.astype(float) * third.astype(float)).astype(F)
        self.assertEqual(self._check(mul, {"a": tiny, "b": third}, nearest), 6)
        half = np.array([0.5, 1], dtype=F)
        self.assertEqual(self._check(mul, {"a": tiny, "b": half}, tiny * half), 0)

    def test_zero_is_positive(self):
        a, b = np.array([2, 1], dtype=F), np.array([-2, 1], dtype=F)
        nodes = [make_node("Add", ["a", "b"], ["r"])]
        self.assertEqual(self._check(nodes, {"a": a, "b": b}, np.array([0, 2], F)), 0)
        self.assertEqual(self._check(nodes, {"a": a, "b": b}, np.array([-0.0, 2], F)), 6)

    def test_a_negative_zero_is_kept_where_it_is_only_moved(self):
        w, v = np.array([-0.0, 1, 2], F), np.array([0, -3], F)
        moved = [make_node("Concat", ["v", "w"], ["r"], axis=0)]
        right = np.array([0, -3, -0.0, 1, 2], F)
        self.assertEqual(self._check(moved, {"v": v, "w": w}, right), 0)
        for wrong in ([-0.0, -3, -0.0, 1, 2], [0, -3, 0, 1, 2]):
            self.assertEqual(self._check(moved, {"v": v, "w": w}, np.array(wrong, F)), 6)
        scaled = [make_node("Mul", ["w", "w"], ["s"]), make_node("Mul", ["s", "w"], ["r"])]
        self.assertEqual(self._check(scaled, {"w": w}, np.array([-0.0, 1, 8], F)), 6)
        self.assertEqual(self._check(scaled, {"w": w}, np.array([0, 1, 8], F)), 0)

    def test_operands_are_finite(self):
        """However large what stands beside an infinity is, nothing of it would be seen."""
        w, k = np.array([np.inf, 1e30, 1e30], F), np.array([1e30, 1e30], F)
        bounds = {name: np.array([number]) for name, number in (("from", 1), ("to", 3), ("axis", 0))}
        piece = [make_node("Slice", ["w", *bounds], ["r"])]
        end = [make_node("Add", ["x", "r"], ["t"]), make_node("Sub", ["t", "r"], ["y"])]
        types = {"x": [2]}, {"y": [2]}
        second = maker.model(end, *types, {"r": k})
        for operands, own in (({"w": w}, {}), ({}, {"w": w})):
            first = maker.model([make_node("Identity", ["x"], ["y"])], *types, operands)
            text = programs(piece, operands, {"r": k}, {**bounds, **own})["pet.weight_programs"]
            with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(Refused, "no finite number"):
                maker.written(folder, first, second, programs=text)

    def test_roots(self):
        v = self.rng.random(50).astype(F) + F(0.1)
        s = self.rng.standard_normal(50).astype(F)
        zeros, ones = np.zeros(50, F), np.ones((1, 50), F)
        exact = s.astype(np.longdouble) / np.sqrt(v.astype(np.longdouble) + F(0.5))
        nodes = [make_node("BatchNormalization", ["o", "s", "z", "z", "v"], ["r"], epsilon=0.5)]
        operands = {"o": ones, "s": s, "z": zeros, "v": v}
        self._accepts_only(nodes, operands, exact.astype(F)[None])

    def test_rational_roots(self):
        """3 / sqrt(2.25) is 2, and 3 * sqrt(2.25) / 1.5 too: ties of roots are decided."""
        v, s = np.array([2.25, 0.25], dtype=F), np.array([3, 1 + 2**-23], dtype=F)
        nodes = [make_node("Sqrt", ["v"], ["q"]), make_node("Div", ["s", "q"], ["r"])]
        self._accepts_only(nodes, {"v": v, "s": s}, np.array([2, 2 + 2**-22], F))

    def test_what_contains_no_weight_is_a_float(self):
        w = np.array([1.5, 2.5], dtype=F)
        third = np.array([1 / 3], dtype=F)  # of one element: a number, no weight
        nodes = [make_node("Sub", ["w", "w"], ["z"]), make_node("Mul", ["q", "q"], ["p"]),
                 make_node("Add", ["z", "p"], ["r"])]
        rounded = (third.astype(float) ** 2).astype(F).repeat(2)
        self.assertEqual(self._check(nodes, {"w": w}, rounded, {"q": third}), 6)
        half = np.array([0.25], dtype=F)
        self.assertEqual(self._check(nodes, {"w": w}, (half * half).repeat(2), {"q": half}), 0)

    def test_many_programs_of_one_operand(self):
        """It is drawn once by every ring, and a program finds its own steps among all without walking past the others."""
        w, number = np.array([1.5, 2.5], F), 40
        stored = {f"k{i}": w * F(2.0**i) for i in range(1, number)}
        factors = {f"s{i}": F(2.0**i) for i in range(1, number)}
        names = {name: digest(array) for name, array in {"w": w, **stored}.items()}
        products = [make_node("Mul", [names["w"], f"s{i}"], [names[f"k{i}"]]) for i in range(1, number)]
        types = [{names[name]: [2] for name in group} for group in (["w"], stored)]
        text = base64.b64encode(maker.model(products, *types, factors).SerializeToString()).decode()
        first = [make_node("Mul", ["w", f"s{i}"], [f"k{i}"]) for i in range(1, number)]
        end = make_node("Sum", ["x", *stored], ["y"])
        models = (maker.model([*first, end], {"x": [2]}, {"y": [2]}, {"w": w, **factors}),
                  maker.model([end], {"x": [2]}, {"y": [2]}, stored, metadata={"pet.weight_programs": text}))
        with tempfile.TemporaryDirectory() as folder:
            paths = maker.written(folder, *models)
            with mock.patch.object(residues, "keystream", wraps=residues.keystream) as drawn:
                self.assertEqual(main([*paths, "--quiet"]), 0)
        self.assertLess(drawn.call_count, 2 * number)  # two leaves, four rings, and their primes

    def test_steps_of_many_programs(self):
        number = 100
        nodes = [make_node("Neg", ["x"], [f"v{i}"]) for i in range(number)]
        nodes += [make_node("Add", ["v0", "v1"], ["s"]), make_node("Split", ["s"], ["l", "r"])]
        model = maker.model(nodes, {"x": [4]}, {"l": [2], "r": [2]})
        with tempfile.TemporaryDirectory() as folder:
            side = maker.Side(maker.written(folder, model, model)[1])
            side.open()
            program = maker.Pair(side, side, {}, False).program_a
        program.steps = Counted(program.steps)
        found = [program.steps_for([f"v{i}"]) for i in range(number)]
        self.assertLess(program.steps.looked_at, 4 * number)
        self.assertEqual([steps[0].outputs for steps in found], [[f"v{i}"] for i in range(number)])
        needed = [program.steps[i].label for i in (0, 1, number, number + 1)]
        self.assertEqual([step.label for step in program.steps_for(["r", "v1", "l"])], needed)
        self.assertEqual(program.steps_for(["x"]), [])

    def test_programs_of_the_certificate_are_bound_to_its_test(self):
        """Whoever writes other ones, be it in other words, has to make the test again."""
        w, s = np.array([2, 1], F), np.array([3, 5], F)
        product = [make_node("Mul", ["w", "s"], ["r"])]
        types = {"x": [2]}, {"y": [2]}
        end = [make_node("Mul", ["x", "r"], ["y"])]
        first = maker.model([*product, *end], *types, {"w": w, "s": s})
        carried = programs(product, {"w": w, "s": s}, {"r": w * s})
        text = carried["pet.weight_programs"]
        second = maker.model(end, *types, {"r": w * s})
        other = onnx.ModelProto.FromString(base64.b64decode(text))
        other.graph.name = "q"
        other = base64.b64encode(other.SerializeToString()).decode()
        with tempfile.TemporaryDirectory() as folder:
            for held in (text, other):
                paths = maker.written(folder, first, second, programs=held)
                self.assertEqual(main([*paths, "--quiet"]), 0)
            good = json.loads(Path(paths[0]).read_text())

            def code_of(**fields):
                Path(paths[0]).write_text(json.dumps({**good, **fields}))
                return main([*paths, "--quiet"])

            self.assertEqual(code_of(weight_programs={"text": text}), 6)
            self.assertEqual(code_of(weight_programs={"text": text + "\ud800"}), 6)
            self.assertEqual(code_of(weight_programs={"text": other, "more": 1}), 6)
            self.assertEqual(code_of(weight_programs=None), 6)
            # Not both: what a file carries is what counts.
            paths = maker.written(folder, first, maker.model(*[end, *types, {"r": w * s}], metadata=carried),
                                  programs=text)
            good = json.loads(Path(paths[0]).read_text())
            self.assertEqual(code_of(weight_programs={"text": text}), 6)

    def test_other_programs_are_refused(self):
        a, b = np.array([2, 1], dtype=F), np.array([3, 5], dtype=F)
        mul = [make_node("Mul", ["a", "b"], ["r"])]
        first = maker.model([*mul, make_node("Mul", ["x", "r"], ["y"])], {"x": [2]}, {"y": [2]},
                            {"a": a, "b": b})
        elsewhere = np.array([6, 1], dtype=F)
        right = programs(mul, {"a": a, "b": b}, {"r": a * b})["pet.weight_programs"]
        unknown = programs(mul, {"a": elsewhere, "b": b}, {"r": a * b})["pet.weight_programs"]
        relu = programs([make_node("Hardmax", ["a"], ["r"])], {"a": a}, {"r": a * b})
        for text, code in ((right, 0), (right[:-8], 4), ("not base64!", 4), ("", 4),
                           (unknown, 6), (relu["pet.weight_programs"], 6)):
            second = maker.model([make_node("Mul", ["x", "k"], ["y"])], {"x": [2]}, {"y": [2]},
                                 {"k": a * b}, metadata={"pet.weight_programs": text})
            with tempfile.TemporaryDirectory() as folder:
                try:
                    paths = maker.written(folder, first, second)
                except Exception:  # the maker cannot either: the checker gets another's certificate
                    made = maker.model([make_node("Mul", ["x", "k"], ["y"])], {"x": [2]},
                                       {"y": [2]}, {"k": a * b})
                    paths = maker.written(folder, first, made)
                    onnx.save(second, paths[2])
                    maker.redigested(paths[0], paths[2])
                self.assertEqual(main([*paths, "--quiet"]), code, text[:20])


class Enclosed(unittest.TestCase):
    """The ring that rounding is decided in, against fractions."""

    def _encloses(self, found, exact):
        """The values lie within the bounds; how many bounds are 0."""
        found = enclosures.lanes(found)
        number = 0
        for i in np.ndindex(exact.shape):
            high, low, radius = (Fraction(float(lane[i])) for lane in found)
            self.assertLessEqual(abs(high + low - exact[i]), radius)
            number += radius == 0
        return number

    def _fractions(self, x):
        return np.frompyfunc(Fraction, 1, 1)(x.astype(object))

    def test_products_of_matrices(self):
        """Of stored numbers they are exact, however their exponents differ; of what has bounds they have some."""
        rng = np.random.default_rng(11)
        for spread, shape in ((0, (5, 4, 7)), (3, (3, 9, 50)), (40, (4, 6, 5)), (120, (3, 3, 3))):
            a = np.round(rng.standard_normal(shape[:2]), 1).astype(F).astype(float)
            b = (rng.standard_normal(shape[1:]) * 2.0 ** rng.integers(-spread, spread + 1, shape[1:])).astype(F).astype(float)
            exact = self._fractions(a) @ self._fractions(b)
            found = enclosures._matmul(a[None], b[None])
            self.assertGreaterEqual(self._encloses(found, exact), exact.size if spread < 40 else 0)
            bounded = np.stack([b, b * 2.0**-60, np.abs(b) * 2.0**-100])
            for sign in (-1, 0, 1):
                moved = exact + self._fractions(a) @ self._fractions(b * 2.0**-60) + sign * (self._fractions(a) @ self._fractions(bounded[2]))
                self._encloses(enclosures._matmul(a[None], bounded), moved)

    def test_a_sum_that_doubles_cut_off(self):
        """2^53 times the last bit is not below 2^53 times the last bit."""
        for tail in (1.0, 3.0, 2.0**-40):
            a, b = np.ones((1, 3)), np.array([[2.0**54], [tail], [-(2.0**54)]])
            self.assertEqual(self._encloses(enclosures._matmul(a[None], b[None]), np.array([[Fraction(tail)]], dtype=object)), 1)

    @np.errstate(over="ignore")
    def test_what_leaves_the_range_of_doubles(self):
        for factor in (2.0**-600, 2.0**600):
            x = np.full((1, 2, 2), factor * (1 + 2.0**-50))
            for operation in (enclosures.times, enclosures._matmul):
                with self.assertRaises(NoMeaning):
                    operation(x, x)

    def test_divisions_and_roots(self):
        x = np.random.default_rng(12).random(20) + 0.1
        inverse = enclosures.lanes(enclosed.inverse(x[None]))
        self._encloses(inverse, 1 / self._fractions(x))
        self.assertTrue((inverse[2] < 2.0**-95).all())
        root = enclosures.lanes(enclosed.root(x[None]))
        for high, low, radius, square in zip(*root, x):
            middle = Fraction(high) + Fraction(low)
            self.assertLessEqual((middle - Fraction(radius)) ** 2, Fraction(square))
            self.assertGreaterEqual((middle + Fraction(radius)) ** 2, Fraction(square))
            self.assertLess(radius, 2.0**-95)


class Nearest(unittest.TestCase):
    """Of all elements at once nothing is said that exact arithmetic does not say."""

    @np.errstate(over="ignore")
    def test_against_fractions(self):
        rng = np.random.default_rng(13)
        values = np.concatenate([rng.standard_normal(60), [1, -1, 2, 0, -0.0, 2.0**-126, 2.0**-127, -(2.0**-149)],
                                 [np.finfo(F).max, -np.finfo(F).max]]).astype(F)
        clear = 0
        for divisor in (1, 3, 10, 2**60, 2**40 + 1):
            for half in (0, 0.25, 0.4999, 0.5, 0.5001, 0.75, 1, -0.25, -0.4999, -0.5, -0.5001, -1):
                for radius in (0.0, 0.3, 1e-7):
                    wide = values.astype(float)
                    gap = np.where(values == 0, 2.0**-149, np.abs(wide - np.nextafter(values, F(0)).astype(float)))
                    middle = (wide + half * gap) * divisor
                    numbers = np.stack([middle, 0 * middle, radius * gap * divisor])
                    for is_weightless in (False, True):
                        found = weights._is_clear(values, numbers, divisor, np.full(len(values), is_weightless), False)
                        clear += found.sum()
                        for i in np.flatnonzero(found):
                            ends = [(Fraction(middle[i]) + to * Fraction(numbers[2, i])) / divisor for to in (-1, 1)]
                            self.assertTrue(weights._is_right(values[i], *ends, is_weightless, False), (values[i], half, radius))
        self.assertGreater(clear, 1000)


if __name__ == "__main__":
    unittest.main()
