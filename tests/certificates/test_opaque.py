"""What follows nodes without a meaning: of known shape it is read, and what may be infinite is never computed with."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import maker
import numpy as np
import onnx
from checker.__main__ import main
from checker.refusals import Unreadable
from networks import F, node

KIND = onnx.TensorProto
INF = F(np.inf)


def retyped(model, **kinds):
    """Other element types of inputs and outputs than floats."""
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.elem_type = kinds.get(value.name, value.type.tensor_type.elem_type)
    return model


class Case(unittest.TestCase):
    def said_of(self, first, second, **options):
        """Exit code, and what is said; results as the certificate has them are in `self.results`, values in `self.values`."""
        out = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out):
            paths = maker.written(folder, first, second, **options)
            content = json.loads(Path(paths[0]).read_text())
            code = main(paths)
        self.results = [(result["type"], result["shape"]) for result in content["interface"]["results"]]
        self.values = content["evidence"].get("values")
        return code, out.getvalue().strip()

    def check_valid(self, first, second, **options):
        self.assertEqual(self.said_of(first, second, **options)[0], 0)

    def check_refused(self, obligation, first, second, **options):
        code, said = self.said_of(first, second, **options)
        self.assertEqual((code, said[: len(obligation) + 9]), (6, f"refused: {obligation}"), said)


def embedded(*ends, reads=("e", "p")):
    """Rows of a table by computed positions, normalised, and what follows."""
    rng = np.random.default_rng(5)
    shapes = {"table": (20, 8), "p": (4, 8), "w": (8, 8), "v": (8, 8), "g": (8,), "b": (8,)}
    constants = {name: rng.standard_normal(shape).astype(F) for name, shape in shapes.items()}
    constants["axis"] = np.array([0])
    nodes = [node("Gather", ["table", "ids"], ["e"]), node("Add", [*reads], ["a"]),
             node("LayerNormalization", ["a", "g", "b"], ["n"]), *ends]
    return retyped(maker.model(nodes, {"ids": [2, 4]}, {"y": [2, 4, 8]}, constants), ids=KIND.INT64)


class Followed(Case):
    ENDS = [node("MatMul", ["n", "w"], ["m"]), node("Add", ["m", "n"], ["y"])]

    def test_a_network_behind_an_embedding(self):
        other = [node("MatMul", ["n", "w"], ["m"]), node("Add", ["n", "m"], ["y"])]
        self.check_valid(embedded(*self.ENDS), embedded(*other, reads=("p", "e")))
        self.assertEqual((self.results, self.values), ([("float", [2, 4, 8])], [None]))

    def test_one_changed_read_behind_an_embedding(self):
        wrong = [[node("MatMul", ["n", "v"], ["m"]), self.ENDS[1]], [node("MatMul", ["a", "w"], ["m"]), self.ENDS[1]],
                 [self.ENDS[0], node("Add", ["m", "a"], ["y"])], [self.ENDS[0], node("Add", ["m", "m"], ["y"])],
                 [self.ENDS[0], node("Add", ["m", "e"], ["y"])]]
        for ends in wrong:
            self.check_refused("equality", embedded(*self.ENDS), embedded(*ends))

    def test_another_embedding(self):
        """Of other rows, or along with others: nothing that cancels makes up for it."""
        first, second = embedded(*self.ENDS), embedded(*self.ENDS)
        second.graph.node[0].input[0] = "w"
        self.check_refused("equality", first, second)
        second = embedded(*self.ENDS[:1], node("Gather", ["w", "ids"], ["o"]), node("Sub", ["n", "o"], ["d"]),
                          node("Add", ["d", "o"], ["s"]), node("Add", ["m", "s"], ["y"]))
        self.check_refused("domain", first, second)

    def test_equal_operands_make_equal_results(self):
        x = {"x": [2, 6]}, {"y": [2, 6]}
        lists = [[node("Add", [*sums], ["s"]), node("Hardmax", ["s"], ["f"]), node("Mul", ["f", "f"], ["q"]),
                  node("Add", ["q", "x"], ["y"])] for sums in (("x", "w"), ("w", "x"), ("x", "x"))]
        models = [maker.model(nodes, *x, {"w": np.arange(6, dtype=F)}) for nodes in lists]
        self.check_valid(*models[:2])
        self.check_refused("equality", models[0], models[2])

    def test_results_of_one_node_are_not_one_another(self):
        two = {"k": np.array([3])}
        lists = [[node("TopK", ["x", "k"], ["v", "i"]), node("Cast", ["i"], ["j"], to=1), node("Add", [*sums], ["y"])]
                 for sums in (("v", "j"), ("j", "v"), ("v", "v"))]
        models = [maker.model(nodes, {"x": [2, 6]}, {"y": [2, 3]}, two) for nodes in lists]
        self.check_valid(*models[:2])
        self.check_refused("equality", models[0], models[2])

    def test_what_is_drawn_twice_differs(self):
        """Operators whose results are not a function of their operands."""
        draws = [node("RandomNormalLike", ["x"], [name]) for name in "rs"]
        lists = [[*draws, node("Sub", [*sums], ["d"]), node("Add", ["d", "x"], ["y"])] for sums in ("rr", "rs", "ss")]
        models = [maker.model(nodes, {"x": [4]}, {"y": [4]}) for nodes in lists]
        self.check_refused("equality", *models[:2])
        self.check_valid(models[0], models[2])

    def test_rounding_behind_a_node_without_a_meaning(self):
        ends = [[node("Identity", ["f"], ["y"])], [node("Add", ["f", "big"], ["s"]), node("Sub", ["s", "big"], ["y"])]]
        models = [maker.model([node("Hardmax", ["x"], ["f"]), *nodes], {"x": [4]}, {"y": [4]}, {"big": F(1e30)}) for nodes in ends]
        self.check_refused("conditioning", *models)

    def test_functions_where_the_first_has_none(self):
        ends = [[node("Identity", ["f"], ["y"])], [node("Sub", ["f", "f"], ["z"]), node("Reciprocal", ["z"], ["r"]),
                                                   node("Sub", ["r", "r"], ["n"]), node("Add", ["f", "n"], ["y"])]]
        models = [maker.model([node("Hardmax", ["x"], ["f"]), *nodes], {"x": [4]}, {"y": [4]}) for nodes in ends]
        self.check_refused("domain", *models)

    def test_the_second_alone_has_a_node_without_a_meaning(self):
        lists = [[node("Add", ["x", "x"], ["y"])], [node("Hardmax", ["x"], ["f"]), node("Sub", ["f", "f"], ["z"]),
                                                    node("Add", ["x", "x"], ["d"]), node("Add", ["d", "z"], ["y"])]]
        models = [maker.model(nodes, {"x": [4]}, {"y": [4]}) for nodes in lists]
        self.check_refused("domain", *models)
        self.check_valid(models[1], models[0])  # it claims less


class Types(Case):
    def test_of_results(self):
        double = node("Cast", ["x"], ["d"], to=KIND.DOUBLE)
        window = {"kernel_shape": [2], "strides": [2]}
        known = [([node("Hardmax", ["x"], ["y"])], ("float", [2, 6])),
                 ([node("ArgMax", ["x"], ["y"], axis=1, keepdims=0)], ("int64", [2])),
                 ([node("TopK", ["x", "k"], ["v", "y"])], ("int64", [2, 3])),
                 ([node("Constant", [], ["y"], value_string="text")], ("string", [])),
                 ([double, node("MatMul", ["d", "t"], ["y"])], ("double", [2, 2])),
                 ([double, node("LayerNormalization", ["d", "s"], ["n", "y"])], ("undefined", None)),  # a float
                 ([node("NonZero", ["x"], ["y"])], ("int64", None)),
                 ([node("Whatever", ["x"], ["y"])], ("undefined", None)),
                 ([node("Hardmax", ["x"], ["y"], mode=1)], ("undefined", None)),
                 ([node("Hardmax", ["x", "x"], ["y"])], ("undefined", None)),
                 ([node("Hardmax", ["x"], ["y"], domain="elsewhere")], ("undefined", None)),
                 ([node("Unsqueeze", ["x", "k"], ["u"]), node("LpPool", ["u"], ["y"], **window)], ("undefined", None)),
                 ([node("GatherND", ["x", "i"], ["y"], batch_dims=-1)], ("undefined", None)),
                 ([node("ReduceMax", ["x"], ["y"], axes=[1], keepdims=2)], ("undefined", None)),
                 ([node("Squeeze", ["x", "none"], ["y"])], ("float", None))]
        constants = {"k": np.array([3]), "t": np.ones((6, 2)), "s": np.ones(6), "i": np.array([[1]]), "none": np.zeros(0, np.int64)}
        for nodes, expected in known:
            if nodes[-1].op_type == "LpPool":
                nodes[0].input[1] = "i1"
            with self.subTest(str(nodes[-1].op_type)):
                model = maker.model(nodes, {"x": [2, 6]}, {"y": None}, {**constants, "i1": np.array([0])})
                model.opset_import.add(domain="elsewhere", version=1)
                model.graph.output[0].ClearField("type")
                self.check_valid(model, model, engine="places")
                self.assertEqual(self.results, [expected])

    def test_of_newer_operator_sets(self):
        """What the writer's list of operators says too, and nothing else."""
        known = [(node("Hardmax", ["x"], ["y"]), ("float", [2, 6])),
                 (node("BitwiseNot", ["x"], ["y"]), ("undefined", None)),
                 (node("DFT", ["x"], ["y"], axis=1), ("undefined", None))]
        for one, expected in known:
            shape = [2, 6, 1] if one.op_type == "DFT" else [2, 6]
            model = maker.model([one], {"x": shape}, {"y": None}, {"a": np.array([1])}, opset=20)
            model.graph.output[0].ClearField("type")
            self.check_valid(model, model, engine="places")
            self.assertEqual(self.results, [expected])

    def test_stale_extents(self):
        """Declared otherwise than they are inferred; of element types they are an error."""
        nodes = [node("Hardmax", ["x"], ["f"]), node("Add", ["f", "x"], ["y"])]
        models = [maker.model(nodes[:1] + [node("Add", sums, ["y"])], {"x": [2, 6]}, {"y": [3, 6]}) for sums in ("fx", "xf")]
        for model, extents in zip(models, ([2, 7], [12])):
            model.graph.value_info.append(onnx.helper.make_tensor_value_info("f", KIND.FLOAT, extents))
        self.check_valid(*models)
        self.assertEqual(self.results, [("float", [2, 6])])
        models[1].graph.value_info[0].type.tensor_type.elem_type = KIND.DOUBLE
        with self.assertRaises(Unreadable):
            self.said_of(*models)


class Infinite(Case):
    """2w - w is w for numbers alone."""

    CHANGED = [node("Add", ["w", "w"], ["d"]), node("Sub", ["d", "w"], ["y"])]
    SAME = [node("Identity", ["w"], ["y"])]

    def _models(self, nodes, constants, *ends):
        models = [maker.model([*nodes, *end], {"x": [4], "c": [4]}, {"y": [4]}, constants) for end in ends]
        return [retyped(model, c=KIND.BOOL) for model in models]

    def _masks(self):
        """Nodes that make w, and constants."""
        where = node("Where", ["c", "x", "m"], ["w"])
        cast = [node("Cast", ["k"], ["m"], to=1), where]
        yield "a constant", [where], {"m": INF}
        yield "no number", [where], {"m": F(np.nan)}
        yield "of doubles", cast, {"k": np.array(-np.inf)}
        yield "of halves", cast, {"k": np.array([-np.inf], np.float16)}
        yield "of an attribute", [node("Constant", [], ["m"], value_float=-np.inf), where], {}
        fill = onnx.helper.make_tensor("value", KIND.FLOAT, [1], [-np.inf])
        yield "of a fill", [node("ConstantOfShape", ["s"], ["m"], value=fill), where], {"s": np.array([4])}
        yield "spelled", [node("Constant", [], ["k"], value_string="-inf"), *cast], {}
        yield "moved before", [node("Expand", ["k", "s"], ["m"]), where], {"k": -INF, "s": np.array([4])}
        renamed = node("Where", ["c", "x", "m"], ["v"])
        yield "moved behind", [renamed, node("Slice", ["v", "a", "b"], ["w"])], {"m": INF, "a": np.array([0]), "b": np.array([4])}
        yield "a function of it", [renamed, node("Relu", ["v"], ["w"])], {"m": INF}
        yield "a function of a constant", [node("Neg", ["x"], ["n"]), node("Relu", ["m"], ["r"]),
                                           node("Where", ["c", "n", "r"], ["w"])], {"m": np.full(4, INF)}
        yield "arithmetic with it", [renamed, node("Mul", ["v", "x"], ["w"])], {"m": INF}
        for name in ("Softmax", "Tanh"):
            yield f"{name} of no number", [renamed, node(name, ["v"], ["w"])], {"m": F(np.nan)}
            yield f"{name} of infinity less infinity", [renamed, node("Sub", ["v", "v"], ["u"]), node(name, ["u"], ["w"])], {"m": INF}
            yield f"{name} of a product", [renamed, node("Mul", ["v", "x"], ["u"]), node(name, ["u"], ["w"])], {"m": INF}
        yield "HardSigmoid, whose slope may be 0", [renamed, node("HardSigmoid", ["v"], ["w"], alpha=0.0)], {"m": INF}
        yield "in two steps", [renamed, node("Hardmax", ["v"], ["u"]), node("Ceil", ["u"], ["w"])], {"m": INF}

    def test_what_computes_with_it(self):
        for what, nodes, constants in self._masks():
            with self.subTest(what):
                models = self._models(nodes, constants, self.SAME, self.CHANGED)
                for first, second in (models, models[::-1]):
                    code, said = self.said_of(first, second)
                    self.assertEqual((code, said[:8]), (6, "refused:"), said)

    def test_finite_masks(self):
        where = node("Where", ["c", "x", "m"], ["w"])
        self.check_valid(*self._models([where], {"m": F(-1e4)}, self.SAME, self.CHANGED))
        fill = onnx.helper.make_tensor("value", KIND.FLOAT, [1], [3.0])
        filled = [node("ConstantOfShape", ["s"], ["m"], value=fill), where]
        self.check_valid(*self._models(filled, {"s": np.array([4])}, self.SAME, self.CHANGED))

    def test_functions_that_are_finite_at_infinity_end_it(self):
        for name in ("Softmax", "Sigmoid", "Tanh", "Erf"):
            nodes = [node("Where", ["c", "x", "m"], ["v"]), node("Add", ["v", "x"], ["u"]), node(name, ["u"], ["w"])]
            with self.subTest(name):
                self.check_valid(*self._models(nodes, {"m": -INF}, self.SAME, self.CHANGED))

    def test_types_without_infinity_end_it(self):
        nodes = [node("Where", ["c", "x", "m"], ["v"]), node("IsInf", ["v"], ["i"]), node("Cast", ["i"], ["w"], to=1)]
        self.check_valid(*self._models(nodes, {"m": -INF}, self.SAME, self.CHANGED))

    def test_moved_masks(self):
        """Behind a movement, and before a function, in either order."""
        constants = {"m": -INF, "a": np.array([0]), "b": np.array([2])}
        mask, cut = node("Where", ["c", "x", "m"], ["v"]), ["a", "b"]
        ends = [[node("Relu", ["v"], ["r"]), node("Slice", ["r", *cut], ["y"])],
                [node("Slice", ["v", *cut], ["r"]), node("Relu", ["r"], ["y"])]]
        models = self._models([mask], constants, *ends)
        for model in models:
            model.graph.output[0].ClearField("type")
        self.check_valid(*models)
        self.assertEqual(self.results, [("float", [2])])


if __name__ == "__main__":
    unittest.main()
