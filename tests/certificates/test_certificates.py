"""Whole certificates: right ones are valid, and every kind of wrong one is refused. Over 400 lines: one kind after another."""

import contextlib
import copy
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import maker
import networks
import numpy as np
import onnx
from checker import integers, table
from checker.__main__ import main
from networks import F, node

CORRUPTIONS = 1000


def checked(paths, *options):
    """Exit code and what was printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = main([*paths, *options])
    return code, out.getvalue().strip()


class Valid(unittest.TestCase):
    def test_pairs(self):
        for name, (make, options) in networks.PAIRS.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                paths = maker.written(folder, *make(), **options)
                code, said = checked(paths, "--json")
                self.assertEqual(code, 0, said)
                error = json.loads(said)["log2_error"]  # null where nothing was evaluated
                self.assertTrue(error is None or error <= -64)
                again = [checked(paths, "--json", "--seed", "7")[0] for _ in range(2)]
                self.assertEqual(again, [0, 0])

    def test_numbers_without_axes(self):
        """Sizes taken out of shapes one by one, sums of two single floats."""
        size = {"i": np.array(0), "rest": np.array([-1]), "at": np.array([0])}
        taken = [node("Shape", ["x"], ["s"]), node("Gather", ["s", "i"], ["n"]), node("Unsqueeze", ["n", "at"], ["m"]),
                 node("Concat", ["m", "rest"], ["t"], axis=0), node("Reshape", ["x", "t"], ["y"])]
        sums = [[node("ReduceSum", ["x"], ["s"], keepdims=0), node("Add", ["s", "s"], ["y"])],
                [node("Add", ["x", "x"], ["d"]), node("ReduceSum", ["d"], ["y"], keepdims=0)]]
        pairs = [([taken, [node("Flatten", ["x"], ["y"])]], [2, 6]), (sums, [])]
        for lists, shape in pairs:
            models = [maker.model(nodes, {"x": [2, 3, 2]}, {"y": shape}, size) for nodes in lists]
            with tempfile.TemporaryDirectory() as folder:
                code, said = checked(maker.written(folder, *models))
            self.assertEqual(code, 0, said)

    def test_more_primes_for_less_error(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = maker.written(folder, *networks.split_bias())
            found = json.loads(checked(paths, "--json", "--error", "-95")[1])
            self.assertLessEqual(found["log2_error"], -95)
            self.assertEqual(checked(paths, "--error", "-200")[0], 6)  # beyond 128-bit digests

    def test_structure(self):
        first, second = networks.split_bias()
        with tempfile.TemporaryDirectory() as folder:
            code, said = checked(maker.written(folder, first, first, engine="places"))
            self.assertEqual((code, said[:27]), (0, "valid: the same expressions"))
            code, said = checked(maker.written(folder, first, second, engine="places"))  # the bias stands on the other side
            self.assertEqual((code, said[:27]), (0, "valid: the same expressions"))
            code, said = checked(maker.written(folder, *networks.exchanged(), engine="places"))
            self.assertEqual((code, said[:17]), (6, "refused: equality"))
            other = copy.deepcopy(first)
            other.graph.initializer[2].CopyFrom(onnx.numpy_helper.from_array(F(0.25), "half"))
            code, said = checked(maker.written(folder, first, other, engine="places"))
            self.assertEqual((code, said[:17]), (6, "refused: equality"))

    def test_the_same_expressions(self):
        """However they are written: with standard values spelled out, with other names of operators."""
        shape = {"s": np.array([0, -1]), "t": np.array([2, 12])}
        lowest = {"low": F(np.finfo(F).min)}
        ends = {"a": np.array([0, 1]), "b": np.array([9, 2]), "c": np.array([-2]), "d": np.array([-9]), "e": np.array([1]),
                "f": np.array([-5])}
        pairs = [(node("Softmax", ["x"], ["y"]), node("Softmax", ["x"], ["y"], axis=2), {}),
                 (node("Transpose", ["x"], ["y"]), node("Transpose", ["x"], ["y"], perm=[2, 1, 0]), {}),
                 (node("Reshape", ["x", "s"], ["y"]), node("Reshape", ["x", "t"], ["y"]), shape),
                 (node("Clip", ["x"], ["y"]), node("Clip", ["x", "low"], ["y"]), lowest),
                 (node("Slice", ["x", "a", "b"], ["y"]), node("Slice", ["x", "c", "d", "e", "f"], ["y"]), ends)]
        others = [(node("Softmax", ["x"], ["y"]), node("Softmax", ["x"], ["y"], axis=1), {}),
                  (node("Sub", ["x", "w"], ["y"]), node("Sub", ["w", "x"], ["y"]), {"w": np.ones((1, 3, 1), F)})]
        for expected, listed in ((0, pairs), (6, others)):
            for first, second, constants in listed:
                models = [maker.model([n], {"x": [2, 3, 4]}, {"y": None}, constants) for n in (first, second)]
                for model in models:
                    model.graph.output[0].type.tensor_type.ClearField("shape")
                with self.subTest(first.op_type), tempfile.TemporaryDirectory() as folder:
                    code, said = checked(maker.written(folder, *models, engine="places"))
                    self.assertEqual(code, expected, said)

    def test_zeros_count_as_their_neighbours(self):
        """What cancels in padding is no worse than beside it."""
        pads = {"p": np.array([0, 2])}
        first = [node("Pad", ["x", "p"], ["y"])]
        second = [node("Sub", ["x", "x"], ["z"]), node("Concat", ["x", "z"], ["y"], axis=0)]
        models = [maker.model(nodes, {"x": [2]}, {"y": [4]}, pads) for nodes in (first, second)]
        with tempfile.TemporaryDirectory() as folder:
            code, said = checked(maker.written(folder, *models))
            self.assertEqual(code, 0, said)

    def test_beyond_the_floats_in_both(self):
        constants = {"b": F(2.0**100), "s": F(2.0**-100)}
        chain = [node("Mul", [f"v{i}" if i else "x", c], [f"v{i + 1}"]) for i, c in enumerate("bbss")]
        models = [maker.model([*chain, node("Add", sums, ["y"])], {"x": [2]}, {"y": [2]}, constants)
                  for sums in (["v4", "x"], ["x", "v4"])]
        with tempfile.TemporaryDirectory() as folder:
            code, said = checked(maker.written(folder, *models))
            self.assertEqual(code, 0, said)

    def test_masks(self):
        """Of the lowest float, with something added before it and behind it."""
        mask = {"m": np.array([0, np.finfo(F).min], F), "c": F(1e30)}
        lists = [[node("Add", operands, ["s"]), node("Add", ["s", "c"], ["t"]), node("Softmax", ["t"], ["y"])]
                 for operands in (["x", "m"], ["m", "x"])]
        with tempfile.TemporaryDirectory() as folder:
            code, said = checked(maker.written(folder, *(maker.model(nodes, {"x": [2]}, {"y": [2]}, mask) for nodes in lists)))
            self.assertEqual(code, 0, said)

    def test_divisors_in_another_order(self):
        """What they leave of something is small in both files, and so is what is added to it."""
        far = {"d": F(1e12), "e": np.array([0, 20], F), "c": F(1e-12)}
        lists = [[node("Exp", ["e"], ["p"]), node("Div", ["x", p], ["t"]), node("Div", ["t", q], ["u"]),
                  node("Add", [*sums], ["y"])] for p, q, sums in (("d", "p", "uc"), ("p", "d", "cu"))]
        for pair in (lists, lists[::-1]):
            with tempfile.TemporaryDirectory() as folder:
                models = [maker.model(nodes, {"x": [2]}, {"y": [2]}, far) for nodes in pair]
                code, said = checked(maker.written(folder, *models))
                self.assertEqual(code, 0, said)

    def test_division_by_padding(self):
        """The first file is defined nowhere: nothing is claimed, and nothing decided."""
        pad = {"p": np.array([0, 1])}
        lists = [[node("Pad", ["x", "p"], ["q"]), *end] for end in (
            [node("Div", ["q", "q"], ["y"])], [node("Reciprocal", ["q"], ["r"]), node("Mul", ["r", "q"], ["y"])])]
        with tempfile.TemporaryDirectory() as folder:
            code, said = checked(maker.written(folder, *(maker.model(nodes, {"x": [2]}, {"y": [3]}, pad) for nodes in lists)))
            self.assertEqual(code, 0, said)

    def test_outputs_paired_by_position(self):
        """Whoever relies on names is told that they do not correspond; names that change places have to be allowed."""
        x, nodes = {"x": [4]}, [node("Relu", ["x"], ["y"]), node("Sigmoid", ["x"], ["z"])]
        first = maker.model(nodes, x, {"y": [4], "z": [4]})
        swapped = [node("Relu", ["x"], ["z"]), node("Sigmoid", ["x"], ["y"])]
        second = maker.model(swapped, x, {"z": [4], "y": [4]})
        told = "outputs paired by position: 'y' with 'z', 'z' with 'y'"
        for engine in ("bitmap", "places"):
            with tempfile.TemporaryDirectory() as folder:
                paths = maker.written(folder, first, second, engine=engine)
                for options in ((), ("--outputs", "by-name")):
                    code, said = checked(paths, *options)
                    self.assertEqual((code, said[:18]), (6, "refused: interface"))
                code, said = checked(paths, "--outputs", "by-position")
                self.assertEqual((code, said[-len(told) :]), (0, told))
                found = json.loads(checked(paths, "--json", "--outputs", "by-position")[1])
                self.assertEqual(found["paired_by_position"], [["y", "z"], ["z", "y"]])
                paths = maker.written(folder, first, first, engine=engine)
                self.assertNotIn("position", checked(paths)[1])
                self.assertEqual(json.loads(checked(paths, "--json")[1])["paired_by_position"], [])

    def test_what_no_output_needs(self):
        """On either side it is no reason to refuse, whatever is applied behind it."""
        double, ends = [node("Add", ["x", "x"], ["d"])], [node("Relu", ["d"], ["y"])]
        unused = [node("Exp", ["x"], ["e"]), node("Reciprocal", ["e"], ["r"])]
        models = [maker.model(nodes, {"x": [4]}, {"y": [4]})
                  for nodes in ([*double, *ends], [*unused, *double, *ends])]
        for first, second in (models, models[::-1], [models[1]] * 2):
            with tempfile.TemporaryDirectory() as folder:
                code, said = checked(maker.written(folder, first, second))
                self.assertEqual(code, 0, said)

    def test_convolutions_of_no_channels(self):
        """What they yield is the bias, or 0."""
        convolution = node("Conv", ["x", "w"], ["c"], group=2, kernel_shape=[3, 3])
        lists = [[convolution, node("Identity", ["c"], ["y"])],
                 [convolution, node("Neg", ["c"], ["d"]), node("Neg", ["d"], ["y"])]]
        models = [maker.model(nodes, {"x": [1, 0, 4, 4]}, {"y": [1, 2, 2, 2]}, {"w": np.zeros([2, 0, 3, 3], F)})
                  for nodes in lists]
        with tempfile.TemporaryDirectory() as folder:
            code, said = checked(maker.written(folder, *models))
        self.assertEqual(code, 0, said)

    def test_external_data(self):
        first, second = networks.split_bias()
        with tempfile.TemporaryDirectory() as folder:
            for model, where in ((first, "weights_a"), (second, "weights_b")):
                onnx.save(networks.external(model, where), str(Path(folder) / where) + ".onnx")
            paths = [str(Path(folder) / n) for n in ("c", "weights_a.onnx", "weights_b.onnx")]
            Path(paths[0]).write_text(json.dumps(maker.certificate(*paths[1:])))
            self.assertEqual(checked(paths)[0], 0)
            data = Path(folder) / "weights_b"
            data.write_bytes(data.read_bytes()[:-1] + b"\x55")
            self.assertEqual(checked(paths)[0], 6)
            data.write_bytes(data.read_bytes()[:-1])
            self.assertEqual(checked(paths)[0], 4)
            data.write_bytes(data.read_bytes() + b"more")
            self.assertEqual(checked(paths)[0], 6)
            os.truncate(data, 2**33)  # of holes
            code, said = checked(paths)
            self.assertEqual(code, 4)
            self.assertIn("bytes that are read here", said)
            data.unlink()
            os.symlink("/etc/hostname", data)
            self.assertEqual(checked(paths)[0], 4)


def nested(location="inner"):
    """An If whose branch has a constant in another file."""
    floats = onnx.TensorProto.FLOAT
    made = onnx.helper.make_tensor_value_info("t", floats, [2])
    inner = onnx.numpy_helper.from_array(np.array([1, 2], dtype=F), "k")
    onnx.external_data_helper.set_external_data(inner, location=location, offset=0, length=8)
    inner.ClearField("raw_data")
    inner.data_location = onnx.TensorProto.EXTERNAL
    branches = [
        onnx.helper.make_graph([node("Identity", ["k"], ["t"])], "then", [], [made], [inner]),
        onnx.helper.make_graph([node("Relu", ["x"], ["t"])], "else", [], [made]),
    ]
    choice = node("If", ["c"], ["y"], then_branch=branches[0], else_branch=branches[1])
    scaled = node("Mul", ["x", "w"], ["z"])
    model = maker.model([choice, scaled], {"x": [2]}, {"y": [2], "z": [2]},
                        {"c": np.array(True), "w": np.array([3, 4], dtype=F)})
    return model


class Copies(unittest.TestCase):
    """Two files with the same bytes are one program, whatever they hold."""

    def setUp(self):
        self.folders = [tempfile.TemporaryDirectory() for _ in range(2)]
        for folder in self.folders:
            self.addCleanup(folder.cleanup)

    def _paths(self, model):
        out = []
        for folder in self.folders:
            out.append(str(Path(folder.name) / "m.onnx"))
            Path(out[-1]).write_bytes(model.SerializeToString())
            (Path(folder.name) / "inner").write_bytes(np.array([1, 2], dtype=F).tobytes())
        certificate = Path(self.folders[0].name) / "c"
        certificate.write_text(json.dumps(maker.certificate(*out, engine="places")))
        return [str(certificate), *out]

    def test_nested_graphs(self):
        paths = self._paths(nested())
        code, said = checked(paths)
        self.assertEqual((code, said[:27]), (0, "valid: the same expressions"))
        good = json.loads(Path(paths[0]).read_text())
        self.assertEqual([r["shape"] for r in good["interface"]["results"]], [None, [2]])
        self.assertEqual(good["a"]["tensors"][1]["role"], "symbol")
        for path in places(good):  # the other fields are checked all the same
            inside = good
            for key in path[:-1]:
                inside = inside[key]
            before = inside[path[-1]]
            for value in systematic(before, path):
                inside[path[-1]] = value
                Path(paths[0]).write_text(json.dumps(good))
                self.assertEqual(checked(paths)[0], 6, f"{path}: {value!r}")
            inside[path[-1]] = before

    def test_what_a_nested_graph_reads_counts(self):
        paths = self._paths(nested())
        (Path(self.folders[1].name) / "inner").write_bytes(b"12345678")
        self.assertEqual(checked(paths)[0], 6)

    def test_other_bytes_are_no_copy(self):
        paths = self._paths(nested())
        model = nested()
        model.doc_string = "another"
        Path(paths[2]).write_bytes(model.SerializeToString())
        maker.redigested(paths[0], paths[2])
        self.assertEqual(checked(paths)[0], 4)

    def test_functions_sequences_and_sparse_tensors(self):
        helper = onnx.helper
        opset = helper.make_opsetid("", 17)
        twice = helper.make_function("d", "Twice", ["a"], ["b"], [node("Add", ["a", "a"], ["b"])],
                                     [opset])
        nodes = [node("Twice", ["x"], ["y"], domain="d"), node("Add", ["x", "s"], ["z"]),
                 node("SequenceConstruct", ["x", "z"], ["q"])]
        model = maker.model(nodes, {"x": [2]}, {"y": [2], "z": [2]})
        model.functions.append(twice)
        model.opset_import.append(helper.make_opsetid("d", 1))
        values = helper.make_tensor("s", onnx.TensorProto.FLOAT, [1], [2.0])
        places_ = helper.make_tensor("p", onnx.TensorProto.INT64, [1], [1])
        model.graph.sparse_initializer.append(helper.make_sparse_tensor(values, places_, [2]))
        element = helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, [2])
        sequence = helper.make_sequence_type_proto(element)
        model.graph.output.append(helper.make_value_info("q", sequence))
        model.graph.input.append(helper.make_value_info("unused", sequence))
        self.assertEqual(checked(self._paths(model))[0], 0)


class Roles(unittest.TestCase):
    def test_roles(self):
        both = {"w": np.array([1, 2], dtype=F), "one": np.array([5], dtype=F),
                "none": np.zeros((0, 3), dtype=F), "minus": np.array(-0.0, dtype=F),
                "inf": np.array([1, np.inf], dtype=F), "i": np.array([3, 4])}
        second = {**both, "new": np.array([7, 8], dtype=F), "nan": np.array([np.nan, 1], dtype=F),
                  "alone": np.array([np.inf], dtype=F)}
        nodes = [node("Mul", ["x", "w"], ["y"])]
        models = [maker.model(nodes, {"x": [2]}, {"y": [2]}, c) for c in (both, second)]
        expected = {"w": "symbol", "one": "exact", "none": "exact", "minus": "symbol",
                    "inf": "symbol", "i": "exact", "new": "exact", "nan": "symbol",
                    "alone": "symbol"}
        for weights in ("symbols", "bound"):
            with tempfile.TemporaryDirectory() as folder:
                paths = maker.written(folder, *models, weights=weights)
                self.assertEqual(checked(paths)[0], 0)
                tensors = json.loads(Path(paths[0]).read_text())["b"]["tensors"]
            expected["w"] = "symbol" if weights == "symbols" else "exact"
            self.assertEqual({t["name"]: t["role"] for t in tensors}, expected)

    def test_nothing_to_bind(self):
        nodes = [node("Mul", ["x", "one"], ["y"])]
        model = maker.model(nodes, {"x": [2]}, {"y": [2]}, {"one": np.array([5], dtype=F)})
        with tempfile.TemporaryDirectory() as folder:
            paths = maker.written(folder, model, model, weights="bound")
            content = json.loads(Path(paths[0]).read_text())
            self.assertEqual(content["semantics"]["weights"], "symbols")
            content["semantics"]["weights"] = "bound"
            Path(paths[0]).write_text(json.dumps(content))
            self.assertEqual(checked(paths)[0], 6)


class Limits(unittest.TestCase):
    """What small files could ask for without end is not begun."""

    def _check(self, nodes, shape, constants=()):
        model = maker.model(nodes, {"x": list(shape)}, {"y": None}, constants)
        model.graph.output[0].type.tensor_type.ClearField("shape")
        with tempfile.TemporaryDirectory() as folder:
            one = maker.model([node("Relu", ["x"], ["y"])], {"x": [1]}, {"y": [1]})
            paths = maker.written(folder, one, one)
            for path in paths[1:]:
                onnx.save(model, path)
            content = json.loads(Path(paths[0]).read_text())
            for which, path in zip("ab", paths[1:]):
                content[which]["file"] = maker.of_bytes(Path(path).read_bytes())
            Path(paths[0]).write_text(json.dumps(content))
            return checked(paths)

    def _is_refused(self, *arguments):
        code, said = self._check(*arguments)
        self.assertEqual(code, 4, said)
        self.assertRegex(said, "more work|beyond what|too long|than this program|not foreseen")

    def test_work(self):
        square = [node("MatMul", [f"v{i}" if i else "x", "x"], [f"v{i + 1}"]) for i in range(200)]
        self._is_refused([*square, node("Relu", ["v200"], ["y"])], (4096, 4096))
        chain = [node("Exp", [f"v{i}" if i else "x"], [f"v{i + 1}"]) for i in range(400)]
        self._is_refused([*chain, node("Relu", ["v400"], ["y"])], (2**27,))
        repeats = {"r": np.array([2**30, 1])}
        self._is_refused([node("Tile", ["x", "r"], ["y"])], (2**10, 2**10), repeats)
        self._is_refused([node("Expand", ["x", "r"], ["y"])], (1, 1), repeats)
        wide = [node("AveragePool", ["x"], ["y"], kernel_shape=[2**30], pads=[2**30 - 1, 0])]
        self._is_refused(wide, (0, 1, 5))

    def test_tensors_that_share_bytes(self):
        """A file without a byte of its own, named again and again."""
        model = maker.model([node("Relu", ["x"], ["y"])], {"x": [1]}, {"y": [1]})
        for i in range(20):
            entry = model.graph.initializer.add(name=f"c{i}", data_type=1, dims=[2**27])
            entry.data_location = onnx.TensorProto.EXTERNAL
            entry.external_data.add(key="location", value="holes")
        with tempfile.TemporaryDirectory() as folder:
            holes = Path(folder) / "holes"
            holes.touch()
            os.truncate(holes, 2**29)
            path = Path(folder) / "a.onnx"
            onnx.save(model, path)
            digest = "checker.tensors.digests.of_tensor"
            with mock.patch(digest, return_value=bytes(32)), mock.patch("numpy.isfinite") as finite:
                finite.return_value = np.ones(1, dtype=bool)
                with self.assertRaisesRegex(Exception, "of tensors in external data"):
                    maker.Side(str(path)).open()

    def test_long_denominators(self):
        """Of squares of a mean: 400,000 bits after some twenty nodes. What is shorter costs as many sums of it do."""
        for squares, others, sums in ((18, 10, 1), (13, 10, 2000)):
            nodes = [node("ReduceMean", ["x"], ["a0"], keepdims=0), node("Mul", ["third", "a0"], ["b0"])]
            for c, number in (("a", squares), ("b", others)):
                nodes += [node("Mul", [f"{c}{i}"] * 2, [f"{c}{i + 1}"]) for i in range(number)]
            nodes += [node("Add", [f"a{squares}", f"b{others}"], [f"c{i}"]) for i in range(sums)]
            with self.subTest(squares):
                self._is_refused([*nodes, node("Relu", ["x"], ["y"])], (7,), {"third": F(1 / 3)})

    def test_memory(self):
        """Checked against what is planned, before anything is evaluated."""
        model = maker.model([node("Relu", ["x"], ["y"])], {"x": [2**24]}, {"y": [2**24]})
        with tempfile.TemporaryDirectory() as folder:
            paths = [str(Path(folder) / name) for name in ("a", "b")]
            for path in paths:
                onnx.save(model, path)
            sides = [maker.Side(path) for path in paths]
            for side in sides:
                side.open()
            pair = maker.Pair(*sides, {}, False)
            maker.obligations.check_work(pair, 1)
            with self.assertRaisesRegex(Exception, "memory"):
                maker.obligations.check_work(pair, 12)

    def test_how_much_is_held(self):
        """Every value until it was read for the last time; thousands of steps take no time."""
        number = 2000
        nodes = [node("Neg", ["x"], [f"v{i}"]) for i in range(number)]
        nodes.append(node("Concat", [f"v{i}" for i in range(number)], ["w"], axis=0))
        nodes += [node("Relu", ["w"], ["u"]), node("Exp", ["u"], ["y"])]
        outputs = {"y": [3 * number], **{f"v{i}": [3] for i in range(0, number, 2)}}
        model = maker.model(nodes, {"x": [3]}, outputs)
        with tempfile.TemporaryDirectory() as folder:
            paths = maker.written(folder, model, model)
            side = maker.Side(paths[1])
            side.open()
            program = maker.Pair(side, side, {}, False).program_a
            self.assertEqual(program.most_held(), 3 * number // 2 + 3 * number * 2)
            self.assertEqual(checked(paths)[0], 0)

    def test_size_of_the_checker(self):
        """A reader has to be able to read the argument, and then any operator by itself."""
        folder = Path(maker.__file__).resolve().parents[2] / "verify" / "certificate_checker"
        files = [*(folder / "checker").rglob("*.py"), folder / "pet-check-certificate"]
        self.assertLessEqual(sum(len(f.read_text().splitlines()) for f in files), 3000)
        for operator in (folder / "operators").rglob("*.py"):
            self.assertLessEqual(len(operator.read_text().splitlines()), 150, operator)

    def test_one_file_for_each_operator(self):
        """Named like the operator that it defines."""
        folder = Path(maker.__file__).resolve().parents[2] / "verify" / "certificate_checker" / "operators"
        files = {file.stem.replace("_", "") for file in folder.glob("*.py")} - {"init"}
        defined = {name.lower() for name in (*table._TABLE, *integers._TABLE)}
        self.assertEqual(files, defined)

    def test_a_python_without_numpy(self):
        """Is named, as is one that has it."""
        launcher = Path(maker.__file__).resolve().parents[2] / "verify" / "certificate_checker" / "pet-check-certificate"
        words = [sys.executable, "-I", "-S", str(launcher), "c.json", "a.onnx", "b.onnx"]
        ran = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stdout), (4, ""))
        self.assertRegex(ran.stderr, "^pet-check-certificate: .*numpy.*\n$")


class Refused(unittest.TestCase):
    """Pairs that are not equal, with the certificate that a liar would write."""

    def _refused(self, obligation, first, second, **options):
        with tempfile.TemporaryDirectory() as folder:
            code, said = checked(maker.written(folder, first, second, **options))
        self.assertEqual(code, 6, said)
        self.assertTrue(said.startswith(f"refused: {obligation}"), said)

    def _models(self, *lists, shape=(4,), constants=()):
        types = {"x": list(shape)}, {"y": list(shape)}
        return [maker.model(nodes, *types, constants) for nodes in lists]

    def test_one_element_differs(self):
        pads = np.array([1, 0])
        ends = {"p": pads, "s": np.array([0]), "e": np.array([4])}
        first = [node("Identity", ["x"], ["y"])]
        second = [node("Pad", ["x", "p"], ["q"]), node("Slice", ["q", "s", "e"], ["y"])]
        self._refused("equality", *self._models(first, second, constants=ends))

    def test_the_second_output_differs(self):
        types = {"x": [4]}, {"y": [4], "z": [4]}
        lists = [[node("Relu", ["x"], ["y"]), node(op, ["x", "x"], ["z"])] for op in ("Add", "Mul")]
        self._refused("equality", *(maker.model(nodes, *types) for nodes in lists))

    def test_another_function(self):
        lists = [[node(op, ["x"], ["y"])] for op in ("Relu", "Sigmoid")]
        self._refused("equality", *self._models(*lists))

    def test_another_parameter(self):
        lists = [[node("LeakyRelu", ["x"], ["y"], alpha=a)] for a in (0.5, 0.25)]
        self._refused("equality", *self._models(*lists))

    def test_rows_are_multisets_of_whole_vectors(self):
        order = [node("Transpose", ["x"], ["t"]), node("Softmax", ["t"], ["u"], axis=0),
                 node("Transpose", ["u"], ["y"])]
        lists = [[node("Softmax", ["x"], ["y"], axis=1)], order]
        with tempfile.TemporaryDirectory() as folder:
            paths = maker.written(folder, *self._models(*lists, shape=(3, 3)))
            self.assertEqual(checked(paths)[0], 0)
        lists[1][1] = node("Softmax", ["t"], ["u"], axis=1)
        self._refused("equality", *self._models(*lists, shape=(3, 3)))

    def test_domain(self):
        """x + (1/(x-x) - 1/(x-x)) is not x: it is defined nowhere."""
        first = [node("Identity", ["x"], ["y"])]
        second = [node("Sub", ["x", "x"], ["z"]), node("Reciprocal", ["z"], ["r"]),
                  node("Sub", ["r", "r"], ["n"]), node("Add", ["x", "n"], ["y"])]
        self._refused("domain", *self._models(first, second))

    def test_what_no_output_needs_excuses_nothing(self):
        """What the first file applies for no output does not make up its domain, nor its sizes."""
        for function, obligation in (("Reciprocal", "domain"), ("Exp", "conditioning")):
            applied = node(function, ["x"], ["r"])
            first = [applied, node("Identity", ["x"], ["y"])]
            second = [applied, node("Add", ["x", "r"], ["s"]), node("Sub", ["s", "r"], ["y"])]
            with self.subTest(function):
                self._refused(obligation, *self._models(first, second))

    def test_infinite_constants_that_were_moved(self):
        """x + (inf - inf) is no x, whatever moves the inf there."""
        infinite = {"c": np.array([np.inf, 1, 1, 1], dtype=F)}
        first = [node("Identity", ["x"], ["y"])]
        for move in (node("Identity", ["c"], ["r"]), node("Transpose", ["c"], ["r"])):
            second = [move, node("Add", ["x", "r"], ["s"]), node("Sub", ["s", "r"], ["y"])]
            self._refused("equality", *self._models(first, second, constants=infinite))

    def test_flags_that_runtimes_read_in_two_ways(self):
        for value in (2, -1):
            lists = [[node("ReduceSum", ["x"], ["y"], keepdims=0, noop_with_empty_axes=noop)] for noop in (1, value)]
            models = [maker.model(nodes, {"x": [4]}, {"y": None}) for nodes in lists]
            self._refused("interface", *models)

    def test_sizes_of_nothing(self):
        """Of no element everything is true."""
        lists = [[node(op, ["x", "x"], ["y"])] for op in ("Add", "Mul")]
        models = [maker.model(nodes, {"x": ["N", 2]}, {"y": ["N", 2]}) for nodes in lists]
        self._refused("format", *models, sizes={"N": 0})

    def test_the_sign_of_a_double_zero(self):
        text = onnx.TensorProto.STRING
        models = []
        for zero in (0.0, -0.0):
            nodes = [node("Cast", ["z"], ["t"], to=text), node("Cast", ["t"], ["u"], to=1), node("Add", ["x", "u"], ["y"])]
            models.append(maker.model(nodes, {"x": [4]}, {"y": None}, {"z": np.array(zero)}))
        self._refused("equality", *models)

    def test_the_sign_of_a_zero_in_a_tensor_of_doubles(self):
        double = onnx.TensorProto.DOUBLE
        models = []
        for zero in (0.0, -0.0):
            nodes = [node("Cast", ["x"], ["d"], to=double), node("Div", ["d", "z"], ["q"]), node("Cast", ["q"], ["y"], to=1)]
            models.append(maker.model(nodes, {"x": [2]}, {"y": None}, {"z": np.array([zero, 1])}))
        self._refused("equality", *models)

    def test_fills_of_minus_zero(self):
        lists = [[node("Pad", ["x", "p", fill], ["t"]), node("Reciprocal", ["t"], ["y"])] for fill in ("plus", "minus")]
        constants = {"p": np.array([0, 1]), "plus": F(0.0), "minus": F(-0.0)}
        self._refused("equality", *(maker.model(nodes, {"x": [1]}, {"y": None}, constants) for nodes in lists))

    def test_sums_over_nothing(self):
        """Gemm forgets what it should add."""
        first = [node("Gemm", ["x", "w", "b"], ["y"], beta=2.0)]
        second = [node("Add", ["b", "b"], ["y"])]
        types = {"x": [2, 0], "w": [0, 2], "b": [2, 2]}, {"y": [2, 2]}
        self._refused("interface", *(maker.model(nodes, *types) for nodes in (first, second)))

    def test_resized_by_floats(self):
        ends = {"size": np.array([1, 1, 1]), "s": np.array([3]), "e": np.array([4]), "a": np.array([2])}
        first = [node("Slice", ["x", "s", "e", "a"], ["y"])]
        second = [node("Resize", ["x", "", "", "size"], ["y"], mode="linear")]
        models = [maker.model(nodes, {"x": [1, 1, 7]}, {"y": [1, 1, 1]}, ends) for nodes in (first, second)]
        self._refused("equality", *models)

    def test_dilated_pools_that_pad_by_themselves(self):
        for name in ("MaxPool", "AveragePool"):
            for mode in ("SAME_UPPER", "SAME_LOWER"):
                form = {"kernel_shape": [3], "dilations": [2]}
                lists = [node(name, ["x"], ["y"], auto_pad=mode, **form)], \
                        [node(name, ["x"], ["y"], pads=[2, 2], **form)]
                types = {"x": [1, 1, 7]}, {"y": [1, 1, 7]}
                models = [maker.model(nodes, *types, opset=19) for nodes in lists]
                with self.subTest(name, mode=mode):
                    self._refused("interface", *models)

    def test_opaque_domain(self):
        first = [node("Identity", ["x"], ["y"])]
        second = [node("Identity", ["x"], ["y"]), node("Hardmax", ["x"], ["unused"])]
        for engine in ("bitmap", "places"):
            self._refused("domain", *self._models(first, second), engine=engine)

    def test_declared_element_types(self):
        """What the standard's rules make something else is no file; two declarations of one value agree."""
        for kind in (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE):
            nodes = [node("Hardmax", ["x"], ["f"]), node("ArgMax", ["f"], ["u"]), node("Cast", ["u"], ["y"], to=1)]
            first, second = (maker.model(nodes, {"x": [4]}, {"y": [1]}) for _ in range(2))
            second.graph.value_info.add(name="u").type.tensor_type.elem_type = kind
            with self.subTest(kind), tempfile.TemporaryDirectory() as folder:
                paths = maker.written(folder, first, first)
                Path(paths[2]).write_bytes(second.SerializeToString())
                maker.redigested(paths[0], paths[2], lenient=True)
                code, said = checked(paths)
                self.assertEqual(code, 4, said)
                self.assertIn("declared as something that it is not", said)

    def test_declared_where_no_rule_tells(self):
        """A runtime may believe it: two files that declare it otherwise are not the same."""
        nodes = [node("Whatever", ["x"], ["u"]), node("Hardmax", ["u"], ["y"])]
        models = [maker.model(nodes, {"x": [4]}, {"y": [4]}) for _ in range(2)]
        for model, kind in zip(models, (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE)):
            model.graph.value_info.add(name="u").type.tensor_type.elem_type = kind
        self._refused("equality", *models)

    def test_opaque_attributes(self):
        lists = [[node("HardSigmoid", ["x"], ["y"], alpha=a)] for a in (0.5, 0.25)]
        self._refused("equality", *self._models(*lists))

    def test_rounding_decides(self):
        """(x + 1e30) - 1e30 is x over the reals alone."""
        first = [node("Identity", ["x"], ["y"])]
        second = [node("Add", ["x", "big"], ["s"]), node("Sub", ["s", "big"], ["y"])]
        big = {"big": F(1e30)}
        self._refused("conditioning", *self._models(first, second, constants=big))

    def test_rounding_decides_before_a_function(self):
        """Beside an argument as large as a limit of Clip, too."""
        big = {"big": F(1e30)}
        for function in ("Relu", "Clip"):
            first = [node(function, ["x"], ["y"])]
            second = [node("Add", ["x", "big"], ["s"]), node("Sub", ["s", "big"], ["t"]),
                      node(function, ["t"], ["y"])]
            self._refused("conditioning", *self._models(first, second, constants=big))

    def test_rounding_decides_before_a_node_without_a_meaning(self):
        for behind in ([], [node("Relu", ["f"], ["g"])]):
            end = [*behind, node("Neg", ["g" if behind else "f"], ["y"])]
            first = [node("Hardmax", ["x"], ["f"]), *end]
            second = [node("Add", ["x", "big"], ["s"]), node("Sub", ["s", "big"], ["t"]), node("Hardmax", ["t"], ["f"]), *end]
            self._refused("conditioning", *self._models(first, second, constants={"big": F(1e30)}))

    def test_rounding_decides_beside_something_large(self):
        """Every element is looked at by itself: of outputs, of arguments, and of windows."""
        lost = [node("Add", ["x", "t"], ["s"]), node("Sub", ["s", "t"], ["r"])]
        large, types = node("Mul", ["z", "big"], ["t"]), {"x": [1, 1, 4], "z": [1, 1, 4]}
        for function in ("Identity", "Relu", "MaxPool"):
            form = {"kernel_shape": [8]} if function == "MaxPool" else {}
            models = []
            for more, operand in (([], "x"), (lost, "r")):
                nodes = [large, *more, node("Concat", [operand, "t"], ["c"], axis=2), node(function, ["c"], ["y"], **form)]
                models.append(maker.model(nodes, types, {"y": [1, 1, 1 if form else 8]}, {"big": F(1e30)}))
            with self.subTest(function):
                self._refused("conditioning", *models)

    def test_leaving_the_floats_on_the_way(self):
        """To infinity and back, or to nothing and back; before functions and nodes without a meaning, too."""
        constants = {"b": F(2.0**100), "s": F(2.0**-100)}
        for factors in ("bbss", "ssbb"):
            chain = [node("Mul", [f"v{i}" if i else "x", c], [f"v{i + 1}"]) for i, c in enumerate(factors)]
            for last in ("Identity", "Relu", "Hardmax"):
                lists = [[node(last, ["x"], ["y"])], [*chain, node(last, ["v4"], ["y"])]]
                with self.subTest(factors, last=last):
                    self._refused("conditioning", *self._models(*lists, constants=constants))

    def test_leaving_the_floats_inside_a_node(self):
        """What is added up before it is divided, or multiplied before alpha, has to be a float as well."""
        number, two = {"s": F(2.0**-127), "b": F(2.0**127), "q": F(0.25)}, {"k": [3]}
        halves, pad = {"s": F(2.0**-64), "b": F(2.0**66), "alpha": F(2.0**-2)}, {"kernel_shape": [2, 2]}
        large, small = node("Mul", ["x", "b"], ["l"]), node("Mul", ["m", "s"], ["y"])
        mean = [node("Mul", ["x", "q"], ["m"]), node("ReduceSum", ["m", "axes"], ["y"])]
        products = [node("Mul", ["k", "b"], ["r"]), node("Gemm", ["l", "r"], ["y"], alpha=2.0**-132)]
        outer = [node("Mul", ["k", "s"], ["r"]), node("Einsum", ["l", "r"], ["y"], equation="i,j->j")]
        sums = [node("ReduceSum", ["x"], ["m"]), node("Mul", ["m", "k"], ["y"])]
        for name, first, second, shapes, constants in (
            ("Gemm", [node("MatMul", ["x", "k"], ["y"])], [large, *products], {"x": [2, 3], "k": [3, 2]}, halves),
            ("Einsum", sums, [large, *outer], {"x": [4], **two}, number),
            ("ReduceMean", mean, [large, node("ReduceMean", ["l"], ["m"], axes=[2, 3]), small], {"x": [1, 1, 2, 2]}, number),
            ("GlobalAveragePool", mean, [large, node("GlobalAveragePool", ["l"], ["m"]), small], {"x": [1, 1, 2, 2]}, number),
            ("AveragePool", mean, [large, node("AveragePool", ["l"], ["m"], **pad), small], {"x": [1, 1, 2, 2]}, number),
        ):
            constants["axes"] = np.array([2, 3])
            models = [maker.model(nodes, shapes, {"y": None}, constants) for nodes in (first, second)]
            with self.subTest(name):
                self._refused("conditioning", *models)

    def test_leaving_the_floats_among_constants(self):
        constants = {"a": np.full((2, 2), 2.0**66, F), "one": np.ones((2, 2), F)}
        nodes = [node("Gemm", ["a", "a"], ["g"], alpha=2.0**-132), node("Mul", ["g", "x"], ["y"])]
        self._refused("finite", *self._models(nodes, nodes, shape=(2, 2), constants=constants))

    def test_rounding_decides_behind_functions_of_constants(self):
        """A divisor, a root or an exponential of constants is as large as it is."""
        norm = {name: np.array([value], F) for name, value in (("o", 1), ("z", 0), ("v", 1e20))}
        for name, c, nodes in (
            ("Div", 1e8, [node("Div", ["x", "c"], ["t"])]),
            ("a vector", [1e8] * 4, [node("Div", ["x", "c"], ["t"])]),
            ("Exp", -20, [node("Exp", ["c"], ["e"]), node("Mul", ["x", "e"], ["t"])]),
            ("Reciprocal", 1e8, [node("Reciprocal", ["c"], ["e"]), node("Mul", ["x", "e"], ["t"])]),
            ("Sqrt", 1e-16, [node("Sqrt", ["c"], ["e"]), node("Mul", ["x", "e"], ["t"])]),
            ("moved", 1e-16, [node("Sqrt", ["c"], ["r"]), node("Concat", ["r", "r"], ["e"], axis=0),
                              node("Mul", ["x", "e"], ["t"])]),
            ("BatchNormalization", 1, [node("BatchNormalization", ["x", "o", "z", "z", "v"], ["t"])]),
        ):
            shape = {"Batch": (4, 1)}.get(name[:5], (2,) if name == "moved" else (4,))
            value = np.array([c] if name == "moved" else c, F)
            ends = [node("Identity", ["t"], ["y"])], [node("Add", ["t", "one"], ["s"]), node("Sub", ["s", "one"], ["y"])]
            models = self._models(*([*nodes, *end] for end in ends), shape=shape, constants={"c": value, "one": F(1), **norm})
            with self.subTest(name):
                self._refused("conditioning", *models)

    def test_functions_of_constants_beyond_the_floats(self):
        """Beside something computed, too; the first file yields it as well, where nothing is added to it."""
        nodes = [node("Concat", ["x", "far"], ["c"], axis=0), node("Exp", ["c"], ["z"])]
        lost = [node("Slice", ["z", "s", "e"], ["i"]), node("Add", ["x", "i"], ["t"]), node("Sub", ["t", "i"], ["y"])]
        constants = {"far": np.array([1000], F), "s": np.array([1]), "e": np.array([2])}
        models = [maker.model([*nodes, *end], {"x": [1]}, {"y": [1], "z": [2]}, constants)
                  for end in ([node("Identity", ["x"], ["y"])], lost)]
        self._refused("conditioning", *models)

    def test_functions_that_cancel(self):
        first = [node("Identity", ["x"], ["y"])]
        second = [node("Exp", ["x"], ["e"]), node("Add", ["x", "e"], ["s"]),
                  node("Sub", ["s", "e"], ["y"])]
        self._refused("conditioning", *self._models(first, second))

    def test_infinite_constants(self):
        nodes = [node("Mul", ["big", "big"], ["i"]), node("Mul", ["x", "i"], ["y"])]
        models = self._models(nodes, nodes, constants={"big": F(1e30)})
        self._refused("finite", *models)

    def test_weights_are_symbols(self):
        """Equal for these weights alone: refused, unless the certificate binds them."""
        constants = {"w": np.array([2, 0, 1, -1], dtype=F)}
        first = [node("Mul", ["x", "w"], ["t"]), node("Mul", ["t", "w"], ["u"]),
                 node("Mul", ["u", "w"], ["y"])]
        second = [node("Mul", ["x", "v"], ["y"])]
        models = self._models(first, second, constants={**constants, "v": constants["w"] ** 3})
        self._refused("equality", *models)
        with tempfile.TemporaryDirectory() as folder:
            paths = maker.written(folder, *models, weights="bound")
            self.assertEqual(checked(paths)[0], 0)

    def test_interfaces(self):
        nodes = [node("Relu", ["x"], ["y"])]
        (first,) = self._models(nodes)
        (other,) = self._models(nodes, shape=(5,))
        self._refused("interface", first, other)
        defaults = [networks.opaque()[0] for _ in range(2)]
        for tensor in defaults[1].graph.initializer:
            if tensor.name == "d":
                tensor.CopyFrom(onnx.numpy_helper.from_array(np.ones(6, F), "d"))
        self._refused("interface", *defaults)
        renamed = copy.deepcopy(first)
        renamed.graph.node[0].output[0] = renamed.graph.output[0].name = "other"
        with tempfile.TemporaryDirectory() as folder:  # outputs that correspond by position
            paths = maker.written(folder, first, renamed)
            self.assertEqual(checked(paths)[0], 0)
            content = json.loads(Path(paths[0]).read_text())
            content["interface"]["outputs"] = "by-name"
            Path(paths[0]).write_text(json.dumps(content))
            self.assertEqual(checked(paths)[0], 6)


class Malformed(unittest.TestCase):
    """What is no file of the kind ends with 4 and a sentence, never with a traceback."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.paths = maker.written(self.folder.name, *networks.split_bias())

    def tearDown(self):
        self.folder.cleanup()

    def _check_second(self, content):
        Path(self.paths[2]).write_bytes(content)
        maker.redigested(self.paths[0], self.paths[2], lenient=True)
        return checked(self.paths)

    def test_missing_files(self):
        for i in range(3):
            paths = list(self.paths)
            paths[i] += ".none"
            self.assertEqual(checked(paths)[0], 4)
        self.assertEqual(checked([self.paths[0], self.folder.name, self.paths[2]])[0], 4)

    def test_what_is_said_is_safe_to_print(self):
        """Wherever it is printed, and whatever a path is made of."""
        for name in ("\u00e9", "\u202e", "\udcff"):
            code, said = checked([self.paths[0], self.folder.name + name, self.paths[2]])
            self.assertEqual(code, 4)
            self.assertTrue(said.isascii(), said)

    def test_no_certificate(self):
        for text in ("", "{", "[]", "1e999", '{"a":1,"a":2}', "[" * 100000, "\xff", "NaN"):
            Path(self.paths[0]).write_bytes(text.encode("latin-1"))
            self.assertEqual(checked(self.paths)[0], 6, text[:9])

    def test_damaged_files(self):
        rng = random.Random(4)
        good = Path(self.paths[2]).read_bytes()
        for _ in range(120):
            bad = bytearray(good)
            for _ in range(rng.randint(1, 4)):
                bad[rng.randrange(len(bad))] = rng.randrange(256)
            bad = bytes(bad[: rng.choice((len(bad), rng.randrange(len(bad))))])
            code, said = self._check_second(bad)
            self.assertIn(code, (0, 4, 6), said)
            self.assertNotIn("not foreseen", said)

    def test_graphs_without_a_meaning(self):
        good = onnx.load(self.paths[2])
        for change in (
            lambda m: m.graph.node[0].input.__setitem__(0, "nothing"),
            lambda m: m.graph.node.extend([m.graph.node[0]]),
            lambda m: m.graph.node[0].attribute.extend([m.graph.node[0].attribute[0]]),
            lambda m: m.graph.output.extend([m.graph.output[0]]),
            lambda m: m.graph.ClearField("output"),
            lambda m: m.graph.initializer.extend([m.graph.initializer[0]]),
            lambda m: m.graph.initializer[0].dims.append(2**62),
            lambda m: m.graph.initializer[0].dims.append(-1),
            lambda m: setattr(m, "ir_version", 99),
            lambda m: m.ClearField("opset_import"),
            lambda m: m.functions.add(name="f", domain="d"),
            lambda m: setattr(m.graph.initializer[0], "data_type", 8),
        ):
            model = copy.deepcopy(good)
            change(model)
            code, said = self._check_second(model.SerializeToString())
            self.assertEqual(code, 4, said)
            self.assertNotIn("not foreseen", said)

    def test_inputs_of_any_shape(self):
        """A default says nothing of what else a caller may give."""
        model = maker.model([node("ReduceSum", ["w"], ["y"], keepdims=0)], {"w": [2]}, {"y": []}, {"w": np.ones(2, F)})
        paths = maker.written(self.folder.name, model, model)
        self.assertEqual(checked(paths)[0], 0)
        model.graph.input[0].type.tensor_type.ClearField("shape")
        onnx.save(model, paths[1])
        code, said = self._check_second(model.SerializeToString())
        self.assertEqual(code, 6, said)  # another first file
        content = json.loads(Path(paths[0]).read_text())
        content["a"]["file"] = content["b"]["file"]
        Path(paths[0]).write_text(json.dumps(content))
        code, said = checked(paths)
        self.assertEqual(code, 4, said)
        self.assertIn("is not stated", said)

    def test_usage(self):
        for words in ([], self.paths[:2], [*self.paths, "--error", "3"], [*self.paths, "--what"]):
            with self.assertRaises(SystemExit) as caught, contextlib.redirect_stderr(io.StringIO()):
                main(words)
            self.assertEqual(caught.exception.code, 2)


def places(value, path=()):
    """Every field of a certificate outside `info`, by its path."""
    if path and path[0] == "info":
        return
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for i, entry in enumerate(value):
            yield from places(entry, (*path, i))


def spoiled(rng, value, name):
    """Another value in place of that one."""
    kinds = [None, [], {}, "", "x", -1, 0.5, True, 2**70]
    if isinstance(value, bool) or value is None:
        return rng.choice([[], {}, "0" * 64, 1, "x"])
    if name in ("degree", "length_blocks", "elements", "log2_error"):
        return rng.choice([value * 3 + 40, value * -3, *kinds])
    if isinstance(value, (int, float)):
        return rng.choice([value + 1, value - 1, value * 2 + 1, -value - 1, value + 0.5, *kinds])
    if isinstance(value, str):
        if not value:
            return "x"
        at = rng.randrange(len(value))
        flipped = value[:at] + ("0" if value[at] != "0" else "1") + value[at + 1 :]
        return rng.choice([flipped, value[:-1], value + "0", value.upper() + "_", *kinds])
    if isinstance(value, list):
        options = [value + [copy.deepcopy(value[-1])] if value else ["x"], None, "x", value + [0]]
        if value:
            options += [value[:-1], value[1:]]
        if len(value) > 1 and value[0] != value[-1]:
            options.append([value[-1], *value[1:-1], value[0]])
        return rng.choice(options)
    return rng.choice([{**value, "more": 1}, None, [],
                       dict(list(value.items())[1:]) if value else {"n": 1}])


def systematic(value, path):
    """Changes that every field of its kind gets: other values in place of that one."""
    if path[-1] in ("degree", "elements", "length_blocks") and value is not None:
        return [value + 1, value - 1]
    swaps = {"by-name": "by-position", "by-position": "by-name", "symbols": "bound",
             "bound": "symbols", "bitmap": "places", "places": "bitmap"}
    if isinstance(value, str) and value in swaps:
        return [swaps[value]]
    if isinstance(value, str) and len(value) == 64:
        other = ["0" if c != "0" else "1" for c in value]
        changed = [value[:i] + other[i] + value[i + 1 :] for i in (0, 31, 63)]
        return [*changed, "g" + value[1:], value.upper() if value != value.upper() else value[:-2]]
    if isinstance(value, dict):
        return [{**value, "more": 1}, *({k: v for k, v in value.items() if k != left} for left in value)]
    if isinstance(value, list):
        more = value + [copy.deepcopy(value[-1]) if value else 0]
        reordered = [value[::-1]] if value != value[::-1] else []
        return [more, *([value[:-1], value[1:]] if value else []), *reordered]
    return []


class Corrupted(unittest.TestCase):
    def _refused(self, paths, good, path, value):
        bad = copy.deepcopy(good)
        inside = bad
        for key in path[:-1]:
            inside = inside[key]
        before, inside[path[-1]] = inside[path[-1]], value
        if before == value and type(before) is type(value):
            return 0
        Path(paths[0]).write_text(json.dumps(bad))
        code, said = checked(paths)
        self.assertEqual(code, 6, f"{path}: {value!r} in place of {before!r}: {said}")
        return 1

    def _at(self, value, path):
        for key in path:
            value = value[key]
        return value

    def test_single_fields(self):
        rng = random.Random(20)
        number = 0
        for name, (make, options) in networks.PAIRS.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                paths = maker.written(folder, *make(), **options)
                good = json.loads(Path(paths[0]).read_text())
                fields = list(places(good))
                for path in fields:
                    for value in systematic(self._at(good, path), path):
                        number += self._refused(paths, good, path, value)
                for i in range(CORRUPTIONS // len(networks.PAIRS)):
                    path = fields[i] if i < len(fields) else rng.choice(fields)
                    value = spoiled(rng, self._at(good, path), path[-1])
                    number += self._refused(paths, good, path, value)
        self.assertGreaterEqual(number, CORRUPTIONS)


if __name__ == "__main__":
    unittest.main()
