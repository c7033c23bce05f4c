"""Small pairs of equal files, each with something that certificates speak of."""

import maker
import numpy as np
import onnx
from onnx.helper import make_node as node
from test_weights import programs

F = np.float32


def _floats(rng, *shape):
    return rng.standard_normal(shape).astype(F)


def split_bias():
    """A convolution and relu; the second file adds the bias by itself."""
    rng = np.random.default_rng(1)
    constants = {"w": _floats(rng, 4, 3, 3, 3), "b": _floats(rng, 4), "half": F(0.5)}
    ends = [node("Relu", ["c"], ["r"]), node("Mul", ["r", "half"], ["y"])]
    types = {"x": [2, 3, 6, 6]}, {"y": [2, 4, 6, 6]}
    first = [node("Conv", ["x", "w", "b"], ["c"], pads=[1] * 4), *ends]
    second = [node("Conv", ["x", "w"], ["d"], pads=[1] * 4),
              node("Unsqueeze", ["b", "axes"], ["b4"]), node("Add", ["b4", "d"], ["c"]), *ends]
    return (maker.model(first, *types, constants),
            maker.model(second, *types, {**constants, "axes": np.array([0, 2, 3])}))


def _folded():
    """Scales folded into a weight, a softmax: two lists for `maker.model`, and the text of the weight program."""
    rng = np.random.default_rng(2)
    w, s, bias = _floats(rng, 5, 8), _floats(rng, 5, 1), _floats(rng, 5)
    types = {"x": [3, 8]}, {"y": [3, 5]}
    ends = [node("Add", ["m", "bias"], ["n"]), node("Softmax", ["n"], ["y"])]
    product = [node("Mul", ["w", "s"], ["k"])]
    turn = node("Transpose", ["k"], ["t"], perm=[1, 0])
    first = [*product, turn, node("MatMul", ["x", "t"], ["m"]), *ends]
    second = [node("Gemm", ["x", "k"], ["m"], transB=1), *ends]
    k = (w.astype(float) * s.astype(float)).astype(F)
    text = programs(product, {"w": w, "s": s}, {"k": k})
    return ((first, *types, {"w": w, "s": s, "bias": bias}),
            (second, *types, {"k": k, "bias": bias}), text)


def folded():
    """The second file carries the program."""
    first, second, text = _folded()
    return maker.model(*first), maker.model(*second, metadata=text)


def folded_elsewhere():
    """It carries none: the certificate holds it."""
    first, second, _ = _folded()
    return maker.model(*first), maker.model(*second)


def opaque():
    """Two outputs, one behind a node without a meaning; a default that a caller can override."""
    rng = np.random.default_rng(3)
    constants = {"w": _floats(rng, 6), "d": _floats(rng, 6)}
    types = {"x": [2, 6], "d": [6]}, {"y": [2, 6], "z": [2, 6]}
    hardmax = node("Hardmax", ["s"], ["z"])
    first = [node("Add", ["x", "w"], ["s"]), node("Mul", ["s", "d"], ["y"]), hardmax]
    second = [node("Add", ["w", "x"], ["s"]), node("Mul", ["d", "s"], ["y"]), hardmax]
    return maker.model(first, *types, constants), maker.model(second, *types, constants)


def open_sizes():
    """A batch of any size; shapes computed from it."""
    types = {"x": ["n", 4, 6]}, {"y": None}
    constants = {"zero": np.array([0]), "rest": np.array([24])}
    first = [node("Shape", ["x"], ["shape"]), node("Gather", ["shape", "zero"], ["n0"]),
             node("Concat", ["n0", "rest"], ["to"], axis=0), node("Reshape", ["x", "to"], ["r"]),
             node("Exp", ["r"], ["y"])]
    second = [node("Flatten", ["x"], ["r"]), node("Exp", ["r"], ["y"])]
    pair = [maker.model(nodes, *types, constants if nodes is first else ())
            for nodes in (first, second)]
    for model in pair:
        model.graph.output[0].type.tensor_type.ClearField("shape")
    return pair


def exchanged():
    """A pool before a convolution, twice, as in DenseNet."""
    rng = np.random.default_rng(3)
    constants = {"w": _floats(rng, 4, 6, 1, 1), "v": _floats(rng, 5, 4, 1, 1)}
    types, pool = ({"x": [1, 6, 8, 8]}, {"y": [1, 5, 2, 2]}), {"kernel_shape": [2, 2], "strides": [2, 2]}
    first = [node("Conv", ["x", "w"], ["a"]), node("AveragePool", ["a"], ["b"], **pool), node("Relu", ["b"], ["c"]),
             node("Conv", ["c", "v"], ["d"]), node("AveragePool", ["d"], ["y"], **pool)]
    second = [node("AveragePool", ["x"], ["p"], **pool), node("Conv", ["p", "w"], ["q"]), node("Relu", ["q"], ["r"]),
              node("AveragePool", ["r"], ["s"], **pool), node("Conv", ["s", "v"], ["y"])]
    return maker.model(first, *types, constants), maker.model(second, *types, constants)


EXCHANGED = [("b", "q", ["x"]), ("y", "y", ["c"])]  # what it is shown by


PAIRS = {  # with the options of the maker
    "split_bias": (split_bias, {}),
    "folded": (folded, {}),
    "folded_elsewhere": (folded_elsewhere, {"programs": _folded()[2]["pet.weight_programs"]}),
    "opaque": (opaque, {}),
    "open_sizes": (open_sizes, {"sizes": {"n": 3}}),
    "exchanged": (exchanged, {"engine": "places", "pairs": EXCHANGED}),
    "the same": (lambda: [split_bias()[0]] * 2, {"engine": "places"}),
}


def external(model, location):
    """Keeps the initialisers of a model in another file."""
    onnx.external_data_helper.convert_model_to_external_data(
        model, location=location, size_threshold=0
    )
    return model
