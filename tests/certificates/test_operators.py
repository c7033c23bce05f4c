"""Every operator against onnx.reference: in numbers, and where it is linear modulo primes too. Over 400 lines: a table of cases."""

import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

import maker
import numpy as np
import onnx
from checker import arithmetic, primes, tensors
from checker import table
from checker.pair import Side
from checker.programs import Leaf, Program
from checker.refusals import Unreadable
from checker.rings.numbers import Rounded
from checker.rings.residues import Residues
from checker.rings.ring import Tensor
from onnx import helper
from onnx.helper import make_node
from onnx.reference import ReferenceEvaluator

_FUNCTIONS = {"Relu", "LeakyRelu", "Sigmoid", "Tanh", "Erf", "Exp", "Log", "Sqrt", "Reciprocal", "Pow",
              "Clip", "Softmax", "Gelu", "LayerNormalization", "BatchNormalization", "MaxPool",
              "Div", "Abs", "Softplus", "HardSwish", "HardSigmoid", "Elu", "PRelu", "Max", "Min",
              "Sign", "Floor", "Ceil", "Round", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Asinh",
              "Acosh", "Atanh", "Mish", "Swish", "Softsign", "Celu", "Selu", "ThresholdedRelu", "Shrink",
              "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp",
              "GlobalMaxPool", "LogSoftmax", "InstanceNormalization", "GroupNormalization", "RMSNormalization",
              "MeanVarianceNormalization", "LRN", "Where", "Cast", "Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual",
              "And", "Or", "Xor", "Not", "IsNaN"}  # fmt: skip


def ints(*values):
    return np.array(values, dtype=np.int64)


def case(op, shapes, opset=17, constants=(), outputs=1, **attributes):
    return op, shapes, opset, dict(constants), outputs, attributes


def sizes(*values):
    """The last three operands of Resize."""
    none = np.zeros(0, dtype=np.float32)
    return {"roi": none, "scales": none, "sizes": ints(*values)}


CASES = [
    case("Add", [(2, 3), (3,)]),
    case("Sub", [(2, 3), (2, 1)]),
    case("Mul", [(4, 1, 3), (2, 1)]),
    case("Neg", [(2, 3)]),
    case("Sum", [(2, 3), (3,), (2, 1)]),
    case("Sum", [(2, 3)]),
    case("Div", [(2, 3), (3,)]),
    case("Div", [(2, 3)], constants={"c": np.float32(3)}),
    case("Div", [(3,)], constants={"c": np.full((1, 1), -0.25, dtype=np.float32)}),
    case("Div", [(2, 3)], constants={"c": np.float32(2.0**-40)}),
    case("MatMul", [(2, 3), (3, 4)]),
    case("MatMul", [(3,), (3, 4)]),
    case("MatMul", [(2, 5, 3), (3,)]),
    case("MatMul", [(3,), (3,)]),
    case("MatMul", [(2, 1, 4, 3), (5, 3, 2)]),
    case("Gemm", [(3, 2), (4, 3), (4,)], alpha=0.5, beta=-1.5, transA=1, transB=1),
    case("Gemm", [(2, 3), (3, 4)]),
    case("Conv", [(1, 2, 9), (4, 2, 3)], strides=[2], pads=[1, 0], dilations=[2]),
    case("Conv", [(2, 4, 7, 6), (6, 2, 3, 2), (6,)], group=2, strides=[2, 1], pads=[1, 0, 2, 1]),
    case("Conv", [(1, 3, 8, 7), (3, 1, 3, 3)], group=3, auto_pad="SAME_UPPER", strides=[2, 2]),
    case("Conv", [(1, 3, 8, 7), (2, 3, 2, 2)], auto_pad="SAME_LOWER"),
    case("Conv", [(1, 3, 8, 7), (2, 3, 2, 3)], auto_pad="VALID", kernel_shape=[2, 3]),
    case("Conv", [(1, 2, 4, 5, 6), (3, 2, 2, 3, 1)], pads=[1, 0, 0, 0, 1, 0]),
    case("BatchNormalization", [(2, 3, 4), (3,), (3,), (3,), "positive 3"], epsilon=0.25),
    case("AveragePool", [(1, 2, 7, 7)], kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1]),
    case("AveragePool", [(1, 2, 7)], kernel_shape=[3], strides=[2], pads=[1, 1],
         count_include_pad=1),
    case("AveragePool", [(1, 2, 8)], kernel_shape=[3], strides=[2], ceil_mode=1, opset=19),
    case("AveragePool", [(1, 2, 9)], kernel_shape=[3], dilations=[2], opset=19),
    case("GlobalAveragePool", [(2, 3, 5, 7)]),
    case("MaxPool", [(1, 2, 7, 7)], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
    case("MaxPool", [(1, 2, 8)], kernel_shape=[3], strides=[2], ceil_mode=1, opset=22),
    case("MaxPool", [(1, 1, 9, 4)], kernel_shape=[2, 2], dilations=[3, 1]),
    case("MaxPool", [(1, 1, 9)], kernel_shape=[2], dilations=[3], auto_pad="VALID"),
    case("MaxPool", [(1, 2, 8)], kernel_shape=[3], strides=[2], auto_pad="SAME_UPPER"),
    case("Concat", [(2, 3), (2, 1), (2, 2)], axis=-1),
    case("Slice", [(7, 5)], constants={"s": ints(1, -1), "e": ints(6, -9), "a": ints(0, 1),
                                       "t": ints(2, -2)}),
    case("Slice", [(7, 5)], constants={"s": ints(-100), "e": ints(100)}),
    case("Slice", [(7,)], constants={"s": ints(100), "e": ints(-100), "a": ints(0),
                                     "t": ints(-3)}),
    case("Slice", [(7,)], constants={"s": ints(5), "e": ints(2)}),
    case("Slice", [(7, 5)], opset=9, starts=[1, -3], ends=[6, 100], axes=[0, -1]),
    case("Slice", [(7, 5)], opset=9, starts=[-100], ends=[3]),
    case("Pad", [(2, 3)], opset=9, pads=[1, 0, 0, 2]),
    case("Pad", [(3, 4)], opset=10, pads=[2, 1, 0, 3], mode="reflect", value=1.0),
    case("Split", [(6, 2)], outputs=3),
    case("Split", [(2, 6)], constants={"n": ints(1, 5)}, outputs=2, axis=1),
    case("Split", [(7,)], outputs=3, num_outputs=3, opset=18),
    case("Pad", [(2, 3)], constants={"p": ints(1, 0, 0, 2)}),
    case("Pad", [(4, 5)], constants={"p": ints(-1, 2, 1, -3)}),
    case("Pad", [(4, 5)], constants={"p": ints(2, 1), "v": np.float32(0), "a": ints(-1)}, opset=18),
    case("Reshape", [(2, 3, 4)], constants={"s": ints(0, -1)}),
    case("Reshape", [(0, 3)], constants={"s": ints(3, 0)}, allowzero=1),
    case("Flatten", [(2, 3, 4)], axis=-1),
    case("Flatten", [(2, 3, 4)], axis=0),
    case("Squeeze", [(1, 3, 1)], constants={"a": ints(-1)}),
    case("Squeeze", [(1, 3, 1)]),
    case("Squeeze", [(1, 3, 1)], opset=12, axes=[0]),
    case("Unsqueeze", [(3, 2)], constants={"a": ints(0, -1)}),
    case("Transpose", [(2, 3, 4)], perm=[1, 2, 0]),
    case("Transpose", [(2, 3, 4)]),
    case("Expand", [(3, 1)], constants={"s": ints(2, 1, 4)}),
    case("DepthToSpace", [(2, 12, 2, 3)], blocksize=2, mode="DCR"),
    case("DepthToSpace", [(2, 12, 2, 3)], blocksize=2, mode="CRD"),
    case("SpaceToDepth", [(2, 3, 4, 6)], blocksize=2),
    case("ReduceSum", [(2, 3, 4)], constants={"a": ints(0, -1)}, keepdims=0),
    case("ReduceSum", [(2, 3)], noop_with_empty_axes=1),
    case("ReduceMean", [(2, 3, 4)], axes=[1]),
    case("ReduceMean", [(2, 3, 4)], opset=18, keepdims=0),
    *(case(f"Reduce{op}", [(2, 3, 4)], opset=18, constants={"a": ints(0, -1)}, keepdims=0)
      for op in ("Max", "Min", "L1", "L2", "SumSquare", "LogSumExp")),
    *(case(f"Reduce{op}", [(2, 3, 4)], axes=[1]) for op in ("Max", "Min", "Prod", "L1", "L2", "SumSquare", "LogSumExp")),
    *(case(f"Reduce{op}", [(2, 3)], opset=18, noop_with_empty_axes=1) for op in ("Max", "Min", "Prod")),
    case("ReduceMax", [(1, 3, 1)], axes=[0, 2], keepdims=0),
    case("ReduceProd", [(2, 3, 2)], opset=18, constants={"a": ints(0, -1)}, keepdims=0),
    case("ReduceLogSum", ["positive 6"]),
    case("GlobalMaxPool", [(2, 3, 5, 7)]),
    case("GlobalMaxPool", [(2, 3, 1, 1)]),
    case("Mean", [(2, 3), (3,), (2, 1)]),
    case("Mean", [(2, 3)]),
    case("LogSoftmax", [(2, 3, 4)], axis=1),
    case("LogSoftmax", [(2, 3, 4)], opset=11),
    case("Trilu", [(2, 3, 4)]),
    case("Trilu", [(4, 3)], constants={"k": np.array(-1)}, upper=0),
    case("Trilu", [(3, 2)], constants={"k": ints(9)}),
    case("CumSum", [(2, 3, 4)], constants={"a": np.array(1)}),
    case("CumSum", [(2, 3, 4)], constants={"a": np.array(-1)}, exclusive=1),
    case("CumSum", [(2, 3, 4)], constants={"a": np.array(0)}, reverse=1),
    case("CumSum", [(2, 3, 4)], constants={"a": np.array(2, dtype=np.int32)}, reverse=1, exclusive=1),
    case("Dropout", [(2, 3)]),
    case("Dropout", [(2, 3)], opset=11, ratio=0.25),
    case("Dropout", [(2, 3)], constants={"r": np.float32(0.25)}),
    case("Tile", [(2, 3)], constants={"r": ints(2, 3)}),
    case("Tile", [(2, 3)], constants={"r": ints(0, 1)}),
    case("Gather", [(4, 5, 2)], constants={"i": ints(3, -1, 0)}, axis=1),
    case("Gather", [(4, 3)], constants={"i": np.array([[0, 2], [-4, 1]], dtype=np.int32)}),
    case("Gather", [(4, 3)], constants={"i": np.array(-2)}, axis=-1),
    case("Gather", [(4, 3)], constants={"i": np.zeros((2, 0), dtype=np.int64)}),
    case("Einsum", [(2, 3), (3, 4)], equation="ij,jk->ik"),
    case("Einsum", [(2, 3), (3, 4)], equation=" ij , jk "),
    case("Einsum", [(2, 3, 4), (5, 4, 2)], equation="bij,kjb->kbi"),
    case("Einsum", [(2, 3, 4), (2, 5)], equation="bij,bk->j"),
    case("Einsum", [(3,), (4,)], equation="i,j->ji"),
    case("Einsum", [(2, 1, 3, 4), (2, 1, 4, 2)], equation="...ij,...jk->...ik"),
    case("Einsum", [(2, 3, 4), (3, 4)], equation="i...,...->...i"),
    case("Einsum", [(2, 3, 4)], equation="...i"),
    case("Einsum", [(3, 4), (3, 4)], equation="ij...,ij..."),
    case("Einsum", [(3, 4), (3, 4)], equation="...,..."),
    case("Einsum", [(3,), (3,)], equation="i,i->"),
    case("Einsum", [(3, 4, 3)], equation="iji->ji"),
    case("Einsum", [(3, 3, 3)], equation="iii->i"),
    case("Einsum", [(3, 4, 3)], equation="iji->"),
    case("Einsum", [(2, 3, 4)], equation="abc->cab"),
    case("Einsum", [(3, 3), (3, 2)], equation="ii,ij->j"),
    case("ConvTranspose", [(1, 2, 4), (2, 3, 3)]),
    case("ConvTranspose", [(2, 4, 4), (4, 3, 2), (6,)], group=2, strides=[3], output_padding=[1]),
    case("ConvTranspose", [(1, 2, 4, 3), (2, 3, 3, 2)], strides=[2, 3], pads=[1, 0, 2, 1]),
    case("ConvTranspose", [(1, 2, 4, 3), (2, 1, 3, 3)], dilations=[2, 3], strides=[2, 2]),
    case("ConvTranspose", [(1, 2, 4, 3), (2, 3, 3, 3)], strides=[2, 2], output_shape=[9, 6]),
    case("ConvTranspose", [(1, 2, 4, 3), (2, 3, 3, 3)], strides=[2, 2], auto_pad="SAME_UPPER"),
    case("ConvTranspose", [(1, 2, 4, 3), (2, 3, 3, 3)], strides=[2, 2], auto_pad="SAME_LOWER"),
    case("ConvTranspose", [(1, 2, 3), (2, 3, 2)], strides=[2], output_shape=[7]),
    case("ConvTranspose", [(1, 2, 3), (2, 3, 4)], pads=[4, 1], dilations=[2], strides=[3],
         output_padding=[2]),
    case("ConvTranspose", [(1, 1, 2, 3, 2), (1, 2, 2, 2, 3)], strides=[2, 1, 3]),
    case("Resize", [(1, 2, 3, 4)], constants=sizes(1, 2, 6, 8)),
    case("Resize", [(1, 1, 4, 6)], constants=sizes(1, 1, 2, 9), mode="linear"),
    case("Resize", [(1, 1, 3, 4)], constants=sizes(1, 1, 7, 5), mode="linear",
         coordinate_transformation_mode="align_corners"),
    case("Resize", [(1, 1, 4, 4)], constants=sizes(1, 1, 1, 6), mode="linear",
         coordinate_transformation_mode="pytorch_half_pixel"),
    case("Resize", [(4, 6)], constants=sizes(2, 3), mode="linear",
         coordinate_transformation_mode="asymmetric"),
    *[case("Resize", [(5, 4)], constants=sizes(10, 2), nearest_mode=mode,
           coordinate_transformation_mode="asymmetric")
      for mode in ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")],
    case("Resize", [(2, 3)], constants={"roi": np.zeros(0, dtype=np.float32),
                                        "s": np.array([1.5, 2], dtype=np.float32)}),
    case("Resize", [(2, 3, 4)], constants=sizes(6, 4), opset=18, axes=[1, 0]),
    case("Pad", [(3, 4)], constants={"p": ints(2, 1, 0, 5)}, mode="edge"),
    case("Pad", [(3, 4)], constants={"p": ints(2, 1, 0, 3)}, mode="reflect"),
    case("Pad", [(3, 4)], constants={"p": ints(2, 1, 0, 3)}, mode="wrap", opset=19),
    case("Identity", [(2, 3)]),
    case("Relu", [(2, 3)]),
    case("LeakyRelu", [(2, 3)], alpha=0.25),
    *(case(op, [(4, 5)]) for op in ("Abs", "Softplus", "HardSwish", "HardSigmoid", "Elu")),
    case("HardSigmoid", [(4, 5)], alpha=0.75, beta=0.125),
    case("Elu", [(4, 5)], alpha=0.25),
    case("PRelu", [(4, 5), (4, 1)]),
    *(case(op, ["halves 9"]) for op in ("Sign", "Floor", "Ceil", "Round", "Sin", "Cos", "Tan", "Atan", "Sinh", "Cosh",
                                        "Asinh", "Softsign", "Celu", "Selu", "ThresholdedRelu", "Shrink")),
    *(case(op, ["fractions 9"]) for op in ("Asin", "Acos", "Atanh")),
    case("Acosh", ["positive 9"]),
    case("Celu", ["halves 9"], alpha=0.25),
    case("Selu", ["halves 9"], alpha=0.25, gamma=3.0),
    case("ThresholdedRelu", ["halves 9"], alpha=-0.75),
    case("Shrink", ["halves 9"], bias=0.25, lambd=1.75),
    case("Mish", ["halves 9"], opset=18),
    case("Swish", ["halves 9"], opset=24),
    case("Swish", ["halves 9"], opset=24, alpha=0.25),
    *(case(op, shapes) for op in ("Max", "Min") for shapes in ([(4, 5)], [(4, 5), (5,)], [(5,), (4, 1), (1, 1)])),
    case("Sigmoid", [(2, 3)]),
    case("Tanh", [(2, 3)]),
    case("Erf", [(2, 3)]),
    case("Exp", [(2, 3)]),
    case("Log", ["positive 5"]),
    case("Sqrt", ["positive 5"]),
    case("Reciprocal", ["positive 5"]),
    case("Pow", ["positive 5", (2, 5)]),
    *(case("Pow", ["positive 5"], constants={"c": np.float32(c)}) for c in (-1, 0.5, -0.5, 1, 2, 3, 4, 5, 2.5)),
    case("Pow", [(2, 3)], constants={"c": np.full((1, 1, 1), 2, dtype=np.float32)}),
    case("Clip", [(9,)], constants={"l": np.float32(-1), "h": np.float32(2)}),
    case("Clip", [(9,)]),
    case("Clip", [(9,)], constants={"l": np.float32(0)}),
    case("Clip", [(9,)], constants={"l": np.float32(0), "h": np.float32(3)}),
    case("Softmax", [(2, 3, 4)], axis=1),
    case("Softmax", [(2, 3, 4)], opset=11),
    case("Gelu", [(2, 5)], opset=20),
    case("Gelu", [(2, 5)], opset=20, approximate="tanh"),
    case("LayerNormalization", [(2, 3, 4), (3, 4), (4,)], axis=1, outputs=3, epsilon=0.5),
    case("LayerNormalization", [(2, 4), (4,)]),
    case("InstanceNormalization", [(2, 3, 4), (3,), (3,)]),
    case("InstanceNormalization", [(2, 3, 4, 2), (3,), (3,)], epsilon=0.5),
    case("GroupNormalization", [(2, 4, 3), (4,), (4,)], num_groups=2, opset=21, epsilon=0.5),
    case("RMSNormalization", [(2, 3, 4), (3, 4)], axis=1, opset=23),
    case("RMSNormalization", [(2, 3, 4), (4,)], opset=23, epsilon=0.5),
    case("MeanVarianceNormalization", [(2, 3, 4, 2)]),
    case("MeanVarianceNormalization", [(2, 3, 4)], axes=[-1, 0]),
    case("Where", ["bool 6", "halves 6", "halves 6"]),
    case("Where", ["bool 1", "int64 6", "int64 1"]),
    *(case("Cast", [drawn], to=to) for drawn in ("halves 9", "int64 9", "int32 9", "bool 9") for to in (1, 6, 7, 9)),
    *(case("Equal", [f"{kind} 9", f"{kind} 9"]) for kind in ("halves", "int64", "bool")),
    *(case(op, [f"{kind} 9", f"{kind} {number}"]) for op in ("Greater", "Less", "GreaterOrEqual", "LessOrEqual")
      for kind, number in (("halves", 9), ("int32", 9), ("int64", 1))),
    *(case(op, ["bool 9", f"bool {number}"]) for op in ("And", "Or", "Xor") for number in (9, 1)),
    case("Not", ["bool 9"]),
    case("IsNaN", [(2, 3)]),
    case("LRN", [(2, 6, 3, 2)], size=3),
    case("LRN", [(2, 4, 3, 2)], size=5, alpha=0.5, beta=0.25, bias=2.0),
]


def _old_softmax(x, axis=1):
    flat = x.reshape(int(np.prod(x.shape[:axis])), -1)
    e = np.exp(flat - flat.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).reshape(x.shape)


def _lrn(x, size, alpha=1e-4, beta=0.75, bias=1.0):
    """From the definition: the reference leaves the squares of most channels out."""
    around = [x[:, max(0, c - size // 2) : c + size // 2 + 1] for c in range(x.shape[1])]
    squares = np.stack([(part * part).sum(axis=1) for part in around], axis=1)
    return x / (bias + alpha / size * squares) ** beta


def _conv_transpose(program, x, w, b=None):
    """From the definition: every product of an element and a tap lands where it belongs."""
    (step,) = program.steps
    rank, group = x.ndim - 2, step.call.get("group", 1)
    strides, dilations = (step.call.get(n, [1] * rank) for n in ("strides", "dilations"))
    more = step.call.get("output_padding", [0] * rank)
    full = [(n - 1) * s + (k - 1) * d + 1 for n, s, k, d in
            zip(x.shape[2:], strides, w.shape[2:], dilations)]
    out = np.zeros((x.shape[0], w.shape[1] * group, *(f + 64 for f in full)))
    for c in range(x.shape[1]):
        first = c // (x.shape[1] // group) * w.shape[1]
        for at in np.ndindex(*x.shape[2:]):
            for tap in np.ndindex(*w.shape[2:]):
                where = tuple(i * s + k * d for i, s, k, d in zip(at, strides, tap, dilations))
                products = x[(slice(None), c, *at)][:, None] * w[(c, slice(None), *tap)]
                out[(slice(None), slice(first, first + w.shape[1]), *where)] += products
    mode, wanted = step.call.get("auto_pad", "NOTSET"), step.call.get("output_shape")
    pads = step.call.get("pads", [0] * 2 * rank)
    slices = []
    for i in range(rank):
        begin, extent = pads[i], full[i] + more[i] - pads[i] - pads[rank + i]
        if wanted or mode != "NOTSET":
            extent = wanted[i] if wanted else x.shape[2 + i] * strides[i]
            total = max(0, full[i] + more[i] - extent)
            begin = total // 2 if mode == "SAME_UPPER" else total - total // 2
        slices.append(slice(begin, begin + extent))
    out = out[(slice(None), slice(None), *slices)]
    return (out if b is None else out + b.reshape(-1, *(1,) * rank)).astype(np.float32)


def _drawn(rng, kind, number):
    """`positive`: integers from 1 on; `halves`: of either sign; `fractions`: within -1 and 1; else elements of that type."""
    if kind in ("bool", "int32", "int64"):
        return rng.integers(0 if kind == "bool" else -2, 2, int(number)).astype(kind)
    low, high, divisor = {"positive": (1, 9, 1), "halves": (-9, 10, 2), "fractions": (-7, 8, 8)}[kind]
    return (rng.integers(low, high, int(number)) / divisor).astype(np.float32)


class Operators(unittest.TestCase):
    def _program(self, entry):
        op, shapes, opset, constants, outputs, attributes = entry
        rng = np.random.default_rng(len(op) + opset)
        values = {}
        for i, shape in enumerate(shapes):
            if isinstance(shape, str):
                values[f"x{i}"] = _drawn(rng, *shape.split())
            else:
                values[f"x{i}"] = rng.integers(-5, 6, shape).astype(np.float32)
        if op == "Div" and "x1" in values:
            values["x1"][values["x1"] == 0] = 3
        names = [f"y{i}" for i in range(outputs)]
        operands = [*values, *constants]
        if len(constants) == 3 and op == "Pad":
            operands = ["x0", "p", "v", "a"]
        node = make_node(op, operands, names, **attributes)
        inputs = {n: v.shape for n, v in values.items()}
        model = maker.model([node], inputs, dict.fromkeys(names), constants, opset, ir=10)
        for value in model.graph.input:
            value.type.tensor_type.elem_type = helper.np_dtype_to_tensor_dtype(values[value.name].dtype)
        for output in model.graph.output:
            output.ClearField("type")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.onnx"
            onnx.save(model, str(path))
            side = Side(str(path))
            side.open()
            program = Program(side.file, side.inputs({}), lambda stored: Leaf("exact", stored))
        self.assertTrue(all(step.operator for step in program.steps), op)
        if op == "Pad" and "p" in constants and any(constants["p"] < 0):  # the reference has no crops
            cropped = np.pad(values["x0"], ((0, 1), (2, 0)))[1:, :-3]
            return program, values, [cropped]
        if op == "ConvTranspose":  # of which the reference knows some forms only
            return program, values, [_conv_transpose(program, *values.values())]
        if op == "LRN":
            return program, values, [_lrn(values["x0"], **attributes)]
        if op in ("Softmax", "LogSoftmax") and opset < 13:
            old = _old_softmax(values["x0"])
            return program, values, [np.log(old) if op == "LogSoftmax" else old]
        return program, values, ReferenceEvaluator(model).run(None, values)

    def test_numbers(self):
        for entry in CASES:
            with self.subTest(entry):
                program, values, expected = self._program(entry)
                ring = Rounded()
                found = program.run(ring, self._leaf(ring, values))
                for name, reference in zip(program.outputs, expected):
                    self.assertEqual(found[name].shape, reference.shape)
                    self.assertEqual(program.values[name].type, tensors.TYPES[helper.np_dtype_to_tensor_dtype(reference.dtype)][0])
                    close = np.allclose(found[name].array[0], reference, rtol=1e-5, atol=1e-6)
                    self.assertTrue(close, f"{found[name].array[0]} {reference}")

    def test_products_of_many(self):
        """A function of the row: no residues are compared."""
        program, values, expected = self._program(case("ReduceProd", [(2, 9)], axes=[1]))
        ring = Rounded()
        found = program.run(ring, self._leaf(ring, values))["y0"].array[0]
        self.assertTrue(np.allclose(found, expected[0], rtol=1e-5))

    def test_residues(self):
        found_primes = primes.drawn(bytes(32), 2)
        for entry in CASES:
            if entry[0] in _FUNCTIONS:
                continue
            with self.subTest(entry):
                program, values, expected = self._program(entry)
                ring = Residues(bytes(32), found_primes)
                found = program.run(ring, self._residue_leaf(ring, values))
                for name, reference in zip(program.outputs, expected):
                    for lane, p in enumerate(found_primes):
                        self._same(found[name].array[lane], reference, p)

    def _same(self, found, reference, p):
        rational = [Fraction(float(x)).limit_denominator(1000) for x in reference.flat]
        expected = [arithmetic.residue_of_fraction(x, p) for x in rational]
        self.assertEqual([int(x) for x in found.flat], expected)

    @staticmethod
    def _leaf(ring, values):
        def leaf(name, value):
            if value.leaf.kind == "input":
                return Tensor(values[name].astype(np.float64)[None])
            return ring.leaf("exact", name, value.leaf.stored, value.shape)

        return leaf

    @staticmethod
    def _residue_leaf(ring, values):
        def leaf(name, value):
            if value.leaf.kind == "input":
                lanes = [np.mod(values[name].astype(np.int64), p) for p in ring.primes]
                return Tensor(np.stack(lanes).astype(np.float64))
            return ring.leaf("exact", name, value.leaf.stored, value.shape)

        return leaf

    def test_every_operator_has_a_case(self):
        self.assertEqual(sorted({entry[0] for entry in CASES}), sorted(table._TABLE))

    def test_forms_without_a_meaning(self):
        alternating = np.tile([0, 3, 1], 200)
        opaque = [
            case("Gather", [(4,)], constants={"i": alternating}),
            case("Einsum", [(2, 3), (3, 2, 2)], equation="...j,j...->..."),
            case("Einsum", [(2, 3), (1, 3)], equation="...j,...j->..."),
            case("Einsum", [(2, 3)], equation="...j->j"),
            case("Einsum", [(2, 3), (3, 4)], equation="iB,BA"),
            case("Einsum", [(2, 3), (1, 4)], equation="ij,jk->ik"),
            case("Einsum", [(2,), (2,), (2,)], equation="i,i,i->"),
            case("ConvTranspose", [(1, 2, 3), (2, 3, 2)], output_shape=[1, 3, 4]),
            case("ConvTranspose", [(1, 2, 3), (2, 3, 2)], output_padding=[1]),
            case("ConvTranspose", [(1, 2, 3), (2, 3, 2)], strides=[3], auto_pad="SAME_UPPER"),
            case("ConvTranspose", [(1, 1, 3), (1, 1, 300)], strides=[301], pads=[1, 0]),
            case("MaxPool", [(1, 1, 7)], kernel_shape=[3], dilations=[2], auto_pad="SAME_UPPER"),
            case("AveragePool", [(1, 1, 7, 7)], kernel_shape=[3, 3], dilations=[1, 2],
                 auto_pad="SAME_LOWER", opset=19),
            case("MaxPool", [(1, 1, 7)], kernel_shape=[2], dilations=[2], pads=[0, 2]),
            case("AveragePool", [(1, 1, 7)], kernel_shape=[1], pads=[1, 1], count_include_pad=1),
            case("Pad", [(3,)], constants={"p": ints(3, 0)}, mode="reflect"),
            case("Pad", [(3,)], constants={"p": ints(-1, 0)}, mode="edge"),
            case("Pad", [(3,)], constants={"p": ints(1, 0)}, mode="wrap"),
            case("Resize", [(3, 4)], constants=sizes(3, 7), mode="cubic"),
            case("Resize", [(3, 4)], constants=sizes(3, 7), antialias=1, mode="linear", opset=18),
            case("Resize", [(3, 4)], constants=sizes(3, 7), opset=18,
                 keep_aspect_ratio_policy="not_larger"),
            case("Resize", [(3, 4)], constants=sizes(3, 7),
                 coordinate_transformation_mode="tf_crop_and_resize"),
            case("Resize", [(3,)], constants={"roi": np.zeros(0, dtype=np.float32),
                                              "s": np.array([1.1], dtype=np.float32)}),
            case("Resize", [(14,)], constants=sizes(2), nearest_mode="floor",
                 coordinate_transformation_mode="asymmetric"),
            case("Transpose", [(2, 3)], perm=[0, 0]),
            case("Transpose", [(2, 3)], perm=[-1, 0]),
            case("Squeeze", [(1, 3)], constants={"a": ints()}),
            case("Gather", [(4,)], constants={"i": ints(4)}),
            case("Pad", [(2,)], constants={"p": ints(-3, 0)}),
            case("Pad", [(2,)], constants={"p": ints(-3, 5)}),
            case("Pad", [(2,)], constants={"p": ints(1, 0).astype(np.int32)}),
            case("Slice", [(7,)], constants={"s": ints(1), "e": ints(2).astype(np.int32)}),
            case("GroupNormalization", [(2, 4, 3), (2,), (2,)], num_groups=2, opset=18),
            case("GroupNormalization", [(2, 4, 3), (4,), (4,)], num_groups=2, opset=21, stash_type=10),
            case("LRN", [(2, 6, 3, 2)], size=2),
            case("Dropout", [(2, 3)], constants={"r": np.float32(0.25), "t": np.array(True)}),
            case("CumSum", [(2, 3)], constants={"a": np.array([[0]])}),
            *(case(f"Reduce{op}", [(2, 3)], opset=18, noop_with_empty_axes=1)
              for op in ("L1", "L2", "SumSquare", "LogSum", "LogSumExp")),
            case("Split", [(4,)], outputs=2, opset=18),
            case("Split", [(4,)], outputs=3, opset=18, num_outputs=3),
        ]
        self._have_no_meaning(opaque)

    def _have_no_meaning(self, entries):
        for entry in entries:
            with self.subTest(entry), self.assertRaisesRegex(AssertionError, entry[0]):
                self._program(entry)  # says that the node has no meaning

    def test_fills_that_are_no_zero(self):
        """-0 and 0 are the same number, and 1 divided by them is not."""
        fills = [np.float32(-0.0), np.float32(1), np.array(0), np.array(0.0)]
        self._have_no_meaning(case("Pad", [(3,)], constants={"p": ints(1, 0), "v": fill}) for fill in fills)

    def test_sums_over_nothing(self):
        """Runtimes leave what the memory held, or lose what is added to it."""
        self._have_no_meaning([
            case("MatMul", [(3, 0), (0,)]),
            case("MatMul", [(2, 1, 0), (0, 4)]),
            case("Gemm", [(2, 0), (0, 3), (3,)], beta=2.0),
            case("Gemm", [(0, 2), (0, 3)], transA=1),
            case("Einsum", [(2, 0), (0, 3)], equation="ij,jk->ik"),
            case("Einsum", [(0, 2), (2, 3)], equation="ij,jk->ik"),
            case("ReduceSum", [(0, 2)], constants={"a": ints(-2)}),
            case("ReduceMean", [(2, 0)], axes=[-2]),
            *(case(f"Reduce{op}", [(2, 0)], axes=[1])
              for op in ("Max", "Min", "Prod", "L1", "L2", "SumSquare", "LogSum", "LogSumExp")),
            case("GlobalMaxPool", [(2, 3, 0)]),
        ])

    def test_pads_beside_auto_pad(self):
        form = {"auto_pad": "SAME_UPPER", "pads": [1, 1]}
        self._have_no_meaning([
            case("Conv", [(1, 1, 7), (1, 1, 3)], **form),
            case("MaxPool", [(1, 1, 7)], kernel_shape=[3], **form),
            case("ConvTranspose", [(1, 1, 7), (1, 1, 3)], **form),
            case("ConvTranspose", [(1, 1, 4), (1, 1, 2)], dilations=[2], output_padding=[1]),
        ])

    def test_attributes_of_later_operator_sets(self):
        """Also where they have the value that leaving them out has."""
        self._have_no_meaning([
            case("AveragePool", [(1, 1, 7)], kernel_shape=[3], dilations=[1]),
            case("AveragePool", [(1, 1, 9)], kernel_shape=[3], dilations=[2], opset=18),
            case("Reshape", [(2, 3)], opset=13, constants={"s": ints(6)}, allowzero=0),
            case("ReduceMean", [(2, 3)], axes=[0], noop_with_empty_axes=0),
            case("Split", [(4,)], outputs=2, num_outputs=2),
        ])

    def test_coordinates_that_floats_miss(self):
        """A single element by exact coordinates, to which floats add a little of its neighbour."""
        self._have_no_meaning(case("Resize", [(n,)], constants=sizes(m), mode="linear") for n, m in ((7, 1), (21, 3)))
        program, _, _ = self._program(case("Resize", [(9,)], constants=sizes(3), mode="linear"))
        self.assertTrue(program.steps[0].moves)

    def test_contradictions_are_refused(self):
        wrong = [
            case("Add", [(2, 3), (4,)]),
            case("MatMul", [(2, 3), (4, 2)]),
            case("Conv", [(1, 3, 5), (2, 2, 3)]),
            case("Conv", [(1, 2, 5), (2, 2, 3)], kernel_shape=[2]),
            case("Conv", [(1, 2, 5), (2, 2, 3)], strides=[0]),
            case("Reshape", [(2, 3)], constants={"s": ints(4, -1)}),
            case("Concat", [(2, 3), (3, 2)], axis=0),
            case("Slice", [(7,)], constants={"s": ints(1), "e": ints(2), "a": ints(0),
                                             "t": ints(0)}),
            case("Expand", [(3,)], constants={"s": ints(2)}),
            case("DepthToSpace", [(1, 3, 2, 2)], blocksize=2),
            case("Gemm", [(2, 3), (3, 4), (3, 4)]),
            case("BatchNormalization", [(2, 3, 4), (3,), (3,), (3,), (4,)]),
            case("Squeeze", [(2, 3)], constants={"a": ints(0)}),
            case("Expand", [(1,)], constants={"s": ints(2**40)}),
            case("Tile", [(2, 3)], constants={"r": ints(2)}),
            case("Tile", [(2, 3)], constants={"r": ints(2**20, 2**20)}),
            case("Einsum", [(2, 3), (3, 4)], equation="ij,jk->il"),
            case("Einsum", [(2, 3)], equation="ijk->i"),
            case("Einsum", [(2, 3)], equation="ij...k->i..."),
            case("Einsum", [(2, 3)], equation="..ij->ij.."),
            case("Einsum", [(2, 3)], equation="ij->...ij"),
            case("Einsum", [(2, 3)], equation="......j->...j"),
            case("ConvTranspose", [(1, 2, 3), (3, 1, 2)]),
            case("ConvTranspose", [(1, 2, 3), (2, 1, 2), (2,)]),
            case("Resize", [(3, 4)], constants=sizes(3)),
            case("Pad", [(3,)], constants={"p": ints(1, 0)}, mode="mirror"),
        ]
        for entry in wrong:
            with self.subTest(entry), self.assertRaises(Unreadable):
                self._program(entry)


if __name__ == "__main__":
    unittest.main()
