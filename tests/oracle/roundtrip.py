"""Unchanged and rewritten files pass the checker and give bit-identical outputs in ONNX Runtime.

roundtrip.py TOOL [MODEL.onnx ...]: without models it builds its own: nested graphs, local functions, captured values,
several outputs, overridable initialisers, external data, constants of every kind, open dimensions.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

F = TensorProto.FLOAT
RNG = np.random.default_rng(7)


def tensor(name, *shape):
    return numpy_helper.from_array(RNG.standard_normal(shape).astype(np.float32), name)


def model(nodes, inputs, outputs, initialisers=(), opset=17, ir=8, functions=(), domains=()):
    value = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "g", [value(*i) for i in inputs], [value(*o) for o in outputs], list(initialisers))
    opsets = [helper.make_opsetid("", opset)] + [helper.make_opsetid(d, 1) for d in domains]
    return helper.make_model(graph, opset_imports=opsets, ir_version=ir, functions=list(functions))


def linear_pieces(opset):
    axes = numpy_helper.from_array(np.array([2, 3]), "axes")
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], auto_pad="SAME_LOWER", strides=[2, 1], name="conv"),
        helper.make_node("BatchNormalization", ["c", "s", "b", "b", "v"], ["n"]),
        helper.make_node("Relu", ["n"], ["r"]),
        helper.make_node("AveragePool", ["r"], ["p"], kernel_shape=[2, 2], pads=[0, 1, 1, 0], count_include_pad=1),
        helper.make_node("MaxPool", ["r"], ["m"], kernel_shape=[2, 2], pads=[0, 1, 1, 0]),
        helper.make_node("Concat", ["p", "m"], ["k"], axis=-3),
        helper.make_node("Constant", [], ["shape"], value_ints=[0, -1, 1, 2]),
        helper.make_node("Reshape", ["k", "shape"], ["q"]),
        helper.make_node("Transpose", ["k"], ["t"], perm=[0, 2, 3, 1]),
        helper.make_node("Split", ["t"], ["s1", "s2"], axis=3, **({"num_outputs": 2} if opset >= 18 else {})),
        helper.make_node("Mul", ["s1", "s2"], ["y"]),
        helper.make_node("ReduceMean", ["k", "axes"] if opset >= 18 else ["k"], ["z"],
                         **({} if opset >= 18 else {"axes": [2, 3]})),
        helper.make_node("Softmax", ["z"], ["z2"], axis=1),
        helper.make_node("Clip", ["s1", "", "one"], ["cl"]),
        helper.make_node("Hardmax", ["q"], ["o"]),
    ]
    ones = numpy_helper.from_array(np.abs(RNG.standard_normal(6)).astype(np.float32), "v")
    one = numpy_helper.from_array(np.array(0.5, np.float32), "one")
    initialisers = [tensor("w", 6, 3, 3, 3), tensor("b", 6), tensor("s", 6), ones, one]
    if opset >= 18:
        initialisers.append(axes)
    return model(nodes, [("x", F, [2, 3, 8, 8])],
                 [("y", F, [2, 4, 8, 6]), ("z2", F, [2, 12, 1, 1]), ("o", F, [2, 192, 1, 2]), ("cl", F, [2, 4, 8, 6]),
                  ("q", F, [2, 192, 1, 2])], initialisers, opset)


def nested():
    value = helper.make_tensor_value_info
    branches = [helper.make_graph([helper.make_node(op, ["a"], ["y"])], op, [], [value("y", F, [4])]) for op in ("Abs", "Neg")]
    nodes = [
        helper.make_node("Relu", ["x"], ["a"]),
        helper.make_node("If", ["flag"], ["y"], then_branch=branches[0], else_branch=branches[1]),
        helper.make_node("Add", ["y", "w"], ["z"]),
        helper.make_node("TopK", ["a", "k"], ["top", "index"], axis=0),
        helper.make_node("Dropout", ["a"], ["d", "mask"]),
    ]
    k = numpy_helper.from_array(np.array([2]), "k")
    return model(nodes, [("x", F, [4]), ("flag", TensorProto.BOOL, []), ("w", F, [4])],
                 [("z", F, [4]), ("index", TensorProto.INT64, [2]), ("d", F, [4])], [tensor("w", 4), k])


def function():
    twice = helper.make_function("my", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])],
                                 [helper.make_opsetid("", 17)])
    return model([helper.make_node("Twice", ["x"], ["t"], domain="my"), helper.make_node("Relu", ["x"], ["r"]),
                  helper.make_node("Add", ["t", "r"], ["y"])],
                 [("x", F, [4])], [("y", F, [4])], functions=[twice], domains=["my"])


def open_sizes():
    return model([helper.make_node("Conv", ["x", "w"], ["c"]), helper.make_node("Relu", ["c"], ["y"])],
                 [("x", F, ["batch", 2, 4, 4])], [("y", F, ["batch", 3, 4, 4])], [tensor("w", 3, 2, 1, 1)])


def computed_shapes():
    """x.view(n, s, 4, -1).transpose(1, 2) and back, as exporters write it for open sizes."""
    def size(k):
        return [helper.make_node("Gather", ["shape", f"i{k}"], [f"g{k}"]),
                helper.make_node("Unsqueeze", [f"g{k}", "zero"], [f"d{k}"])]
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("Shape", ["r"], ["shape"]), *size(0), *size(1),
        helper.make_node("Concat", ["d0", "d1", "four", "minus"], ["split"], axis=0),
        helper.make_node("Reshape", ["r", "split"], ["h"]),
        helper.make_node("Transpose", ["h"], ["t"], perm=[0, 2, 1, 3]),
        helper.make_node("Transpose", ["t"], ["u"], perm=[0, 2, 1, 3]),
        helper.make_node("Concat", ["d0", "d1", "minus"], ["joined"], axis=0),
        helper.make_node("Reshape", ["u", "joined"], ["v"]),
        helper.make_node("MatMul", ["v", "w"], ["y"]),
    ]
    lists = {"i0": 0, "i1": 1, "zero": [0], "four": [4], "minus": [-1]}
    return model(nodes, [("x", F, ["batch", "length", 8])], [("y", F, ["batch", "length", 3]), ("t", F, ["n", "heads", "l", "d"])],
                 [tensor("w", 8, 3)] + [numpy_helper.from_array(np.array(v, np.int64), k) for k, v in lists.items()])


def old():
    return model([helper.make_node("Gemm", ["x", "w", "b"], ["y"], transB=1)],
                 [("x", F, [2, 3]), ("w", F, [4, 3]), ("b", F, [4])], [("y", F, [2, 4])],
                 [tensor("w", 4, 3), tensor("b", 4)], opset=11, ir=3)


def inputs_of(session):
    drawn = {}
    for value in session.get_inputs():
        shape = [d if isinstance(d, int) else 2 for d in value.shape]
        drawn[value.name] = (np.array(True) if "bool" in value.type else RNG.standard_normal(shape).astype(np.float32))
    return drawn


def run(path, feeds=None):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    feeds = feeds or inputs_of(session)
    return feeds, session.run(None, feeds)


def check(tool, path, folder, sizes=()):
    unchanged, rewritten = folder / "unchanged.onnx", folder / "rewritten.onnx"
    done = subprocess.run([tool, path, unchanged, rewritten, *sizes], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return f"tool: {done.stderr.strip()}"
    feeds, expected = run(path)
    for written in (unchanged, rewritten):
        onnx.checker.check_model(str(written), full_check=True)
        for want, got in zip(expected, run(written, feeds)[1], strict=True):
            if want.tobytes() != got.tobytes():
                return f"{written.name}: other outputs (by {np.max(np.abs(want - got))})"
    if unchanged.read_bytes() != path.read_bytes() and folder == path.parent:
        return "the unchanged file has other bytes"
    print(f"{path.name}: {done.stdout.strip()}")
    return None


def main():
    tool, given = sys.argv[1], [pathlib.Path(p) for p in sys.argv[2:]]
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cases = [(path, ()) for path in given]
        if not given:
            built = {f"linear{n}": (linear_pieces(n), ()) for n in (13, 17, 18, 21)}
            built |= {"nested": (nested(), ()), "function": (function(), ()), "old": (old(), ()),
                      "open": (open_sizes(), ("batch=2",)),
                      "computed": (computed_shapes(), ("batch=2", "length=2")), "external": (linear_pieces(17), ())}
            for key, (proto, sizes) in built.items():
                external = {"save_as_external_data": True, "location": "w.bin", "size_threshold": 0} if key == "external" else {}
                onnx.save(proto, folder / f"{key}.onnx", **external)
                cases.append((folder / f"{key}.onnx", sizes))
        for path, sizes in cases:
            if problem := check(tool, path, folder, sizes):
                failures.append(f"{path.name}: {problem}")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
