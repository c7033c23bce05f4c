#!/usr/bin/env python3
"""Writes calls of random nodes of our operators with the results that ONNX Runtime computes (format: calls.py).
Over 400 lines: one operator after another."""

import argparse
import pathlib
import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from calls import write_call


class Case:
    """A node under construction. Operands are (array, is_constant) or None."""

    def __init__(self, op, opset, operands, attrs=None, results=1):
        self.op, self.opset, self.operands, self.attrs, self.results = op, opset, operands, attrs or {}, results


class Draw:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def int(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def one_of(self, *choices):
        return choices[self.int(0, len(choices) - 1)]

    def shape(self, low=0, high=4, largest=4):
        return [self.int(1, largest) for _ in range(self.int(low, high))]

    def floats(self, shape):
        return self.rng.normal(size=shape).astype(np.float32)

    def truths(self, shape):
        return (self.rng.integers(0, 2, size=shape).astype(np.bool_), False)

    def few(self, kind, shape):
        """Numbers of that type of which some are equal, or truth values."""
        return (self.rng.integers(-2, 3, size=shape).astype(kind), False)

    def positive(self, shape):
        return (np.abs(self.rng.normal(size=shape)) + 0.1).astype(np.float32)

    def opset(self, low=11):
        return self.int(low, 24)

    def variable(self, shape):
        return (self.floats(shape), False)

    def ints(self, *values):
        return (np.array(values, dtype=np.int64), True)

    def broadcasting(self, shape):
        cut = self.int(0, len(shape))
        return [1 if self.int(0, 3) == 0 else e for e in shape[cut:]]

    def axis(self, rank):
        return self.int(-rank, rank - 1)

    def axes(self, rank, least=1):
        chosen = self.rng.permutation(rank)[: self.int(min(least, rank), rank)]
        return [int(a) - (rank if self.int(0, 1) else 0) for a in chosen]


UNARY = "Neg Relu Sigmoid Tanh Erf Exp Identity Abs Softplus HardSwish Sign Floor Ceil Round Sin Cos Tan Atan Sinh Cosh Asinh Softsign"
POSITIVE = "Sqrt Reciprocal Log"
WITHIN_ONE = "Asin Acos Atanh"


def unary(op):
    return lambda d: Case(op, d.opset(), [d.variable(d.shape())])


def positive(op):
    return lambda d: Case(op, d.opset(), [(d.positive(d.shape()), False)])


def within_one(op):
    return lambda d: Case(op, d.opset(), [(np.tanh(d.floats(d.shape())), False)])


def acosh(d):
    return Case("Acosh", d.opset(), [(1 + d.positive(d.shape()), False)])


def binary(op):
    def make(d):
        shape = d.shape()
        a, b = (shape, d.broadcasting(shape)) if d.int(0, 1) else (d.broadcasting(shape), shape)
        second = d.positive(b) if op in ("Div", "Pow") else d.floats(b)
        first = d.positive(a) if op == "Pow" else d.floats(a)
        is_number = op in ("Div", "Pow") and d.int(0, 1)  # which may decide what the operator means
        if is_number:
            rank = d.int(0, 3)
            second = np.full([1] * rank, d.one_of(-1, 0.5, -0.5, 1, 2, 3, 4, 5, 2.5, 7, 1e-3), dtype=np.float32)
        return Case(op, d.opset(12), [(first, False), (second, is_number)])
    return make


def parametric(op, since=11, **given):
    """With some of its parameters given."""
    return lambda d: Case(op, d.opset(since), [d.variable(d.shape())], {k: v for k, v in given.items() if d.int(0, 1)})


def p_relu(d):
    shape = d.shape()
    return Case("PRelu", d.opset(), [d.variable(shape), d.variable(d.broadcasting(shape))])


def gelu(d):
    return Case("Gelu", d.opset(20), [d.variable(d.shape())], d.one_of({}, {"approximate": "tanh"}, {"approximate": "none"}))


def clip(d):
    limit = lambda: d.one_of(None, (np.float32(0), True), (np.float32(d.rng.normal()), bool(d.int(0, 1))))
    return Case("Clip", d.opset(), [d.variable(d.shape()), limit(), limit()])


def mat_mul(d):
    m, k, n = d.int(1, 4), d.int(1, 4), d.int(1, 4)
    batch = d.shape(0, 2, 3)
    a, b = d.broadcasting(batch) + [m, k], batch + [k, n]
    if d.int(0, 3) == 0:
        a = [k]
    if d.int(0, 3) == 0:
        b = [k]
    return Case("MatMul", d.opset(), [d.variable(a), d.variable(b)])


def gemm(d):
    m, k, n = d.int(1, 4), d.int(1, 4), d.int(1, 4)
    ta, tb = d.int(0, 1), d.int(0, 1)
    c = d.one_of(None, d.variable([n]), d.variable([m, 1]), d.variable([m, n]), d.variable([]), d.variable([1]))
    attrs = d.one_of({}, {"alpha": 0.3, "beta": 1.7}, {"beta": 0.0}, {"alpha": -2.0})
    return Case("Gemm", d.opset(), [d.variable([k, m] if ta else [m, k]), d.variable([n, k] if tb else [k, n]), c],
                {**attrs, "transA": ta, "transB": tb})


def concat(d):
    shape = d.shape(1)
    axis = d.axis(len(shape))
    operands = []
    for _ in range(d.int(1, 4)):
        mine = list(shape)
        mine[axis] = d.int(0, 3)
        operands.append(d.variable(mine))
    return Case("Concat", d.opset(), operands, {"axis": axis})


def split(d):
    shape = d.shape(1)
    axis, opset, pieces = d.axis(len(shape)), d.opset(), d.int(1, 4)
    attrs = {} if axis == 0 and d.int(0, 1) else {"axis": axis}
    if d.int(0, 1):
        sizes = [d.int(0, 3) for _ in range(pieces)]
        shape[axis] = sum(sizes)
        if opset < 13:
            return Case("Split", opset, [d.variable(shape)], {**attrs, "split": sizes}, pieces)
        return Case("Split", opset, [d.variable(shape), d.ints(*sizes)], attrs, pieces)
    shape[axis] = pieces * d.int(1, 3)
    if opset >= 18:
        shape[axis] = max(1, shape[axis] - d.int(0, 2))
        attrs["num_outputs"] = pieces
    return Case("Split", opset, [d.variable(shape)], attrs, pieces)


def slice_(d):
    shape = d.shape(1, 4, 6)
    axes = d.axes(len(shape))
    far = [-(2**63) + 1, -(2**31), 2**31 - 1, 2**63 - 1]
    bound = lambda: d.one_of(*far) if d.int(0, 4) == 0 else d.int(-8, 8)
    steps = [d.one_of(1, 1, 2, 3, -1, -2, 7, -7) for _ in axes]
    operands = [d.variable(shape), d.ints(*[bound() for _ in axes]), d.ints(*[bound() for _ in axes]), d.ints(*axes)]
    if d.int(0, 3):
        operands.append(d.ints(*steps))
    if d.int(0, 4) == 0:
        operands[0] = (d.rng.integers(-9, 9, size=shape), False)
    return Case("Slice", d.opset(), operands)


def pad(d):
    shape = d.shape(1)
    opset = d.opset()
    mode = d.one_of("constant", "edge", "reflect", "wrap")
    number = len(shape)
    operands = [d.variable(shape)]
    axes = None
    if opset >= 18 and d.int(0, 1):
        axes = d.axes(len(shape))
        number = len(axes)
    pads = [d.one_of(0, 1, 2, 3, -1) if mode == "constant" else d.int(0, 3) for _ in range(2 * number)]
    operands += [d.ints(*pads), d.one_of(None, (np.float32(0), True))]
    if axes:
        operands.append(d.ints(*axes))
    return Case("Pad", opset, operands, {} if mode == "constant" and d.int(0, 1) else {"mode": mode})


def tile(d):
    shape = d.shape()
    return Case("Tile", d.opset(), [d.variable(shape), d.ints(*[d.int(0, 3) for _ in shape])])


def gather(d):
    shape = d.shape(1, 4, 6)
    axis = d.axis(len(shape))
    dtype = d.one_of(np.int64, np.int32)
    indices = d.rng.integers(-shape[axis], shape[axis], size=d.shape(0, 3)).astype(dtype)
    return Case("Gather", d.opset(), [d.variable(shape), (indices, True)], {} if axis == 0 and d.int(0, 1) else {"axis": axis})


def einsum(d):
    extents = {c: d.int(1, 4) for c in "abijK"}
    hidden = d.shape(0, 2)
    has_ellipsis = d.int(0, 2) == 0
    draw = lambda: "".join(d.one_of(*extents) for _ in range(d.int(0, 3)))
    operands = [draw() for _ in range(d.int(1, 2))]
    known = sorted(set("".join(operands)))
    shapes = [[extents[c] for c in labels] for labels in operands]
    if has_ellipsis:
        at = [d.int(0, len(labels)) for labels in operands]
        shapes = [[*shape[:i], *hidden, *shape[i:]] for shape, i in zip(shapes, at)]
        operands = [f"{labels[:i]}...{labels[i:]}" for labels, i in zip(operands, at)]
    equation = d.one_of(",", " , ").join(operands)
    if d.int(0, 3):
        result = "".join(d.rng.permutation(known)[: d.int(0, len(known))])
        at = d.int(0, len(result))
        equation += "->" + (f"{result[:at]}...{result[at:]}" if has_ellipsis else result)
    return Case("Einsum", d.opset(12), [d.variable(shape) for shape in shapes], {"equation": equation})


def resize(d):
    opset = d.opset()
    coordinates = d.one_of(None, "half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")
    attrs = {"coordinate_transformation_mode": coordinates} if coordinates else {}
    if d.int(0, 1):
        attrs["mode"] = "linear"
        shape = [1, 1] if d.int(0, 1) else [d.int(1, 2), d.int(1, 2)]
        shape += [d.int(1, 6), d.int(1, 6)]
        sizes = shape[:2] + [d.int(1, 9), d.int(1, 9)]
    else:
        attrs.update(d.one_of({}, *({"nearest_mode": m} for m in ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil"))))
        shape = d.shape(1, 4, 9)
        sizes = [d.int(1, 12) for _ in shape]
    none = (np.zeros(0, dtype=np.float32), True) if opset < 13 else None
    if d.int(0, 2):
        axes = [d.int(0, len(shape) - 1)] if opset >= 18 and attrs.get("mode") != "linear" and d.int(0, 1) else None
        if axes:
            attrs["axes"] = axes
            sizes = [sizes[a] for a in axes]
        return Case("Resize", opset, [d.variable(shape), none, none, d.ints(*sizes)], attrs)
    scales = [d.one_of(1.0, 2.0, 3.0, 0.5, 1.5, 0.25) for _ in shape]
    if attrs.get("mode") == "linear":
        scales[:2] = [1.0, 1.0]
    return Case("Resize", opset, [d.variable(shape), none, (np.array(scales, dtype=np.float32), True)], attrs)


def reshape(d):
    shape = d.shape(1)
    flat = int(np.prod(shape))
    wanted, rest = [], flat
    while rest > 1:
        part = d.one_of(*[k for k in range(2, rest + 1) if rest % k == 0])
        wanted.append(part)
        rest //= part
    wanted.insert(d.int(0, len(wanted)), d.one_of(1, -1))
    if wanted[0] == shape[0] and d.int(0, 1):
        wanted[0] = 0
    return Case("Reshape", d.opset(), [d.variable(shape), d.ints(*wanted)])


def flatten(d):
    shape = d.shape(1)
    return Case("Flatten", d.opset(), [d.variable(shape)], d.one_of({}, {"axis": d.int(-len(shape), len(shape))}))


def squeeze(d):
    shape = [d.one_of(1, 1, 2, 3) for _ in range(d.int(1, 5))]
    ones = [i - d.one_of(0, len(shape)) for i, e in enumerate(shape) if e == 1]
    opset = d.opset()
    if not ones or d.int(0, 1):
        return Case("Squeeze", opset, [d.variable(shape)])
    if opset < 13:
        return Case("Squeeze", opset, [d.variable(shape)], {"axes": ones})
    return Case("Squeeze", opset, [d.variable(shape), d.ints(*ones)])


def unsqueeze(d):
    shape = d.shape(0, 3)
    more = d.int(1, 2)
    axes = [int(a) - d.one_of(0, len(shape) + more) for a in d.rng.permutation(len(shape) + more)[:more]]
    opset = d.opset()
    if opset < 13:
        return Case("Unsqueeze", opset, [d.variable(shape)], {"axes": axes})
    return Case("Unsqueeze", opset, [d.variable(shape), d.ints(*axes)])


def transpose(d):
    shape = d.shape()
    perm = [int(a) for a in d.rng.permutation(len(shape))]
    return Case("Transpose", d.opset(), [d.variable(shape)], {"perm": perm} if perm and d.int(0, 2) else {})


def expand(d):
    to = d.shape(0, 4)
    operand = d.broadcasting(to)
    wanted = [1 if i >= len(to) - len(operand) and operand[i - len(to)] == e and d.int(0, 1) else e for i, e in enumerate(to)]
    return Case("Expand", d.opset(), [d.variable(operand), d.ints(*wanted)])


def reduction(op, since, draw=Draw.variable):
    def make(d):
        shape = d.shape()
        opset = d.opset()
        attrs = {} if d.int(0, 1) else {"keepdims": d.int(0, 1)}
        axes = d.axes(len(shape)) if shape and d.int(0, 2) else []
        if opset >= since and d.int(0, 1):
            attrs["noop_with_empty_axes"] = d.int(0, 1)
        if opset < since:
            return Case(op, opset, [draw(d, shape)], {**attrs, "axes": axes} if axes else attrs)
        return Case(op, opset, [draw(d, shape), d.ints(*axes)] if axes or d.int(0, 1) else [draw(d, shape)], attrs)
    return make


def sliding(d, spatial):
    attrs = {"kernel_shape": [d.int(1, 3) for _ in range(spatial)]}
    if d.int(0, 1):
        attrs["strides"] = [d.int(1, 3) for _ in range(spatial)]
    padding = d.int(0, 3)
    if padding == 0:
        attrs["auto_pad"] = d.one_of("SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET")
    elif padding > 1:
        attrs["pads"] = [d.int(0, attrs["kernel_shape"][i % spatial] - 1) for i in range(2 * spatial)]
    return attrs


def pool(op):
    def make(d):
        spatial = d.int(1, 3)
        opset = d.opset()
        attrs = sliding(d, spatial)
        if d.int(0, 1):
            attrs["ceil_mode"] = d.int(0, 1)
        if op == "AveragePool" and d.int(0, 1):
            attrs["count_include_pad"] = d.int(0, 1)
        if (op == "MaxPool" or opset >= 19) and d.int(0, 1) and attrs.get("auto_pad") in (None, "NOTSET"):
            attrs["dilations"] = [d.int(1, 2) for _ in range(spatial)]
        return Case(op, opset, [d.variable([d.int(1, 2), d.int(1, 3)] + [d.int(3, 7) for _ in range(spatial)])], attrs)
    return make


def conv(d):
    spatial = d.int(1, 3)
    attrs = sliding(d, spatial)
    kernel = attrs["kernel_shape"]
    if d.int(0, 1):
        del attrs["kernel_shape"]
    if d.int(0, 1) and attrs.get("auto_pad") in (None, "NOTSET"):
        attrs["dilations"] = [d.int(1, 2) for _ in range(spatial)]
    groups = d.int(1, 3)
    if groups > 1:
        attrs["group"] = groups
    c, f = d.int(1, 2), d.int(1, 2) * groups
    operands = [d.variable([d.int(1, 2), c * groups] + [d.int(4, 7) for _ in range(spatial)]), d.variable([f, c] + kernel)]
    if d.int(0, 1):
        operands.append(d.variable([f]))
    return Case("Conv", d.opset(), operands, attrs)


def conv_transpose(d):
    spatial = d.int(1, 3)
    kernel = [d.int(1, 3) for _ in range(spatial)]
    strides = [d.int(1, 3) for _ in range(spatial)]
    attrs = {"kernel_shape": kernel} if d.int(0, 1) else {}
    if max(strides) > 1:
        attrs["strides"] = strides
    if d.int(0, 1):
        attrs["dilations"] = [d.int(1, 3) for _ in range(spatial)]
    if d.int(0, 1):
        attrs["output_padding"] = [d.int(0, s - 1) for s in strides]
    extents = [d.int(2, 4) for _ in range(spatial)]
    padding = d.int(0, 4)
    if padding == 0:
        attrs["auto_pad"] = d.one_of("SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET")
    elif padding == 1:
        attrs["output_shape"] = [d.int(1, 4) + s * (e - 1) for s, e in zip(strides, extents)]
        attrs.update(d.one_of({}, {"auto_pad": "SAME_UPPER"}, {"auto_pad": "SAME_LOWER"}))
    elif padding > 2:
        attrs["pads"] = [d.int(0, 2) for _ in range(2 * spatial)]
    groups = d.int(1, 3)
    if groups > 1:
        attrs["group"] = groups
    c, f = d.int(1, 2) * groups, d.int(1, 2)
    operands = [d.variable([d.int(1, 2), c] + extents), d.variable([c, f] + kernel)]
    if d.int(0, 1):
        operands.append(d.variable([f * groups]))
    return Case("ConvTranspose", d.opset(), operands, attrs)


def global_pool(op):
    return lambda d: Case(op, d.opset(), [d.variable(d.shape(3, 5))])


def batch_normalization(d):
    shape = d.shape(2, 4)
    c = [shape[1]]
    return Case("BatchNormalization", d.opset(),
                [d.variable(shape), d.variable(c), d.variable(c), d.variable(c), (d.positive(c), False)],
                d.one_of({}, {"epsilon": 0.01}))


def blocks(op):
    def make(d):
        b = d.int(1, 3)
        n, c, h, w = d.int(1, 2), d.int(1, 2), d.int(1, 3), d.int(1, 3)
        if op == "DepthToSpace":
            return Case(op, d.opset(), [d.variable([n, c * b * b, h, w])],
                        {"blocksize": b, **d.one_of({}, {"mode": "DCR"}, {"mode": "CRD"})})
        return Case(op, d.opset(), [d.variable([n, c, h * b, w * b])], {"blocksize": b})
    return make


def softmax(op):
    def make(d):
        shape = d.shape(1)
        opset = d.opset()
        attrs = {"axis": d.axis(len(shape))} if d.int(0, 1) or (opset < 13 and len(shape) == 1) else {}
        return Case(op, opset, [d.variable(shape)], attrs)
    return make


def layer_normalization(d):
    shape = d.shape(1)
    axis = d.axis(len(shape))
    tail = shape[axis:] if axis < 0 else shape[axis:]
    attrs = {} if axis in (-1, len(shape) - 1) and d.int(0, 1) else {"axis": axis}
    operands = [d.variable(shape), d.variable(tail)] + ([d.variable(tail)] if d.int(0, 1) else [])
    if d.int(0, 1):
        attrs["epsilon"] = 0.02
    return Case("LayerNormalization", d.opset(17), operands, attrs, d.int(1, 3))


def instance_normalization(d):
    shape = d.shape(3, 5)
    attrs = d.one_of({}, {"epsilon": 0.02})
    return Case("InstanceNormalization", d.opset(), [d.variable(shape), d.variable([shape[1]]), d.variable([shape[1]])], attrs)


def group_normalization(d):
    shape = d.shape(3, 5)
    groups = d.int(1, 3)
    shape[1] = groups * d.int(1, 2)
    attrs = {"num_groups": groups, **d.one_of({}, {"epsilon": 0.02}, {"stash_type": 1})}
    return Case("GroupNormalization", d.opset(21), [d.variable(shape), d.variable([shape[1]]), d.variable([shape[1]])], attrs)


def rms_normalization(d):
    shape = d.shape(1)
    axis = d.axis(len(shape))
    attrs = {} if axis in (-1, len(shape) - 1) and d.int(0, 1) else {"axis": axis}
    if d.int(0, 1):
        attrs["epsilon"] = 0.02
    return Case("RMSNormalization", d.opset(23), [d.variable(shape), d.variable(shape[axis:])], attrs)


def mean_variance_normalization(d):
    shape = d.shape(4, 4)
    attrs = d.one_of({}, {"axes": d.axes(4)})
    return Case("MeanVarianceNormalization", d.opset(), [d.variable(shape)], attrs)


def lrn(d):
    attrs = {"size": d.int(1, 7), **d.one_of({}, {"alpha": 0.3, "beta": 0.6}, {"bias": 2.0})}
    return Case("LRN", d.opset(), [d.variable(d.shape(4, 4, 6))], attrs)


def trilu(d):
    shape = d.shape(2)
    k = d.one_of([], [(np.array(d.int(-4, 4)), True)], [d.ints(d.int(-4, 4))])
    return Case("Trilu", d.opset(14), [d.variable(shape), *k], d.one_of({}, {"upper": d.int(0, 1)}))


def cum_sum(d):
    shape = d.shape(1)
    axis = np.array(d.axis(len(shape)), dtype=d.one_of(np.int64, np.int32))
    attrs = {k: d.int(0, 1) for k in ("exclusive", "reverse") if d.int(0, 1)}
    return Case("CumSum", d.opset(), [d.variable(shape), (axis, True)], attrs)


def dropout(d):
    opset = d.opset()
    if opset < 12:
        return Case("Dropout", opset, [d.variable(d.shape())], d.one_of({}, {"ratio": 0.3}))
    return Case("Dropout", opset, [d.variable(d.shape()), d.one_of(None, (np.float32(0.3), True))])


def pair_of_shapes(d):
    shape = d.shape()
    return d.one_of((shape, d.broadcasting(shape)), (d.broadcasting(shape), shape))


def comparison(op, since=11, kinds=(np.float32, np.int64, np.int32)):
    def make(d):
        kind = d.one_of(*kinds)
        return Case(op, d.opset(since), [d.few(kind, shape) for shape in pair_of_shapes(d)])
    return make


def logic(op):
    return lambda d: Case(op, d.opset(), [d.truths(shape) for shape in pair_of_shapes(d)])


def negation(d):
    return Case("Not", d.opset(), [d.truths(d.shape())])


def where(d):
    shape, kind = d.shape(), d.one_of(np.float32, np.int64, np.int32)
    shapes = [shape, d.broadcasting(shape), d.broadcasting(shape)]
    condition, *others = (shapes[i] for i in d.rng.permutation(3))
    return Case("Where", d.opset(), [d.truths(condition), *(d.few(kind, s) for s in others)])


def cast(d):
    kinds = {np.float32: TensorProto.FLOAT, np.int64: TensorProto.INT64, np.int32: TensorProto.INT32, np.bool_: TensorProto.BOOL}
    kind, shape = d.one_of(*kinds), d.shape()
    operand = (3 * d.floats(shape), False) if kind is np.float32 and d.int(0, 1) else d.few(kind, shape)
    return Case("Cast", d.opset(), [operand], {"to": d.one_of(*kinds.values())})


def several(op):
    def make(d):
        shape = d.shape()
        return Case(op, d.opset(), [d.variable(d.broadcasting(shape)) for _ in range(d.int(1, 4))])
    return make


GENERATORS = {
    **{op: unary(op) for op in UNARY.split()},
    **{op: positive(op) for op in POSITIVE.split()},
    **{op: within_one(op) for op in WITHIN_ONE.split()},
    **{op: binary(op) for op in ("Add", "Sub", "Mul", "Div", "Pow")},
    **{op: several(op) for op in ("Sum", "Max", "Min", "Mean")},
    **{f"Reduce{op}": reduction(f"Reduce{op}", 18) for op in ("Max", "Min", "Prod", "L1", "L2", "SumSquare", "LogSumExp")},
    "ReduceLogSum": reduction("ReduceLogSum", 18, lambda d, shape: (d.positive(shape), False)),
    "Trilu": trilu, "CumSum": cum_sum, "Dropout": dropout, "InstanceNormalization": instance_normalization,
    "GroupNormalization": group_normalization, "RMSNormalization": rms_normalization,
    "MeanVarianceNormalization": mean_variance_normalization, "LRN": lrn,
    "GlobalMaxPool": global_pool("GlobalMaxPool"), "LogSoftmax": softmax("LogSoftmax"),
    "LeakyRelu": parametric("LeakyRelu", alpha=0.3), "Elu": parametric("Elu", alpha=0.7), "PRelu": p_relu,
    "HardSigmoid": parametric("HardSigmoid", alpha=0.3, beta=0.4), "Gelu": gelu, "Clip": clip, "MatMul": mat_mul, "Gemm": gemm, "Concat": concat,
    "Split": split, "Slice": slice_, "Pad": pad, "Reshape": reshape, "Flatten": flatten, "Squeeze": squeeze,
    "Unsqueeze": unsqueeze, "Transpose": transpose, "Expand": expand, "ReduceSum": reduction("ReduceSum", 13),
    "ReduceMean": reduction("ReduceMean", 18), "AveragePool": pool("AveragePool"), "MaxPool": pool("MaxPool"),
    "Conv": conv, "GlobalAveragePool": global_pool("GlobalAveragePool"), "BatchNormalization": batch_normalization,
    "DepthToSpace": blocks("DepthToSpace"), "SpaceToDepth": blocks("SpaceToDepth"), "Softmax": softmax("Softmax"),
    "LayerNormalization": layer_normalization, "Tile": tile, "Gather": gather, "Einsum": einsum, "Resize": resize,
    "ConvTranspose": conv_transpose, "Acosh": acosh, "Celu": parametric("Celu", 12, alpha=0.7), "Selu": parametric("Selu", alpha=1.2, gamma=0.9),
    "ThresholdedRelu": parametric("ThresholdedRelu", alpha=0.3), "Shrink": parametric("Shrink", bias=0.4, lambd=0.3),
    "Swish": parametric("Swish", 24, alpha=0.6), "Mish": parametric("Mish", 18),
    "Where": where, "Cast": cast, "IsNaN": unary("IsNaN"), "Not": negation, **{op: logic(op) for op in ("And", "Or", "Xor")},
    **{op: comparison(op) for op in ("Greater", "Less")}, **{op: comparison(op, 12) for op in ("GreaterOrEqual", "LessOrEqual")},
    "Equal": comparison("Equal", kinds=(np.float32, np.int64, np.int32, np.bool_)),
}


def run(case):
    """The node and its results in ONNX Runtime. Raises what the runtime raises."""
    names = ["" if o is None else f"x{i}" for i, o in enumerate(case.operands)]
    while names and not names[-1]:
        names.pop()
    case.operands = case.operands[: len(names)]
    node = helper.make_node(case.op, names, [f"y{i}" for i in range(case.results)], **case.attrs)
    inputs, constants, feed = [], [], {}
    for name, operand in zip(names, case.operands):
        if operand is None:
            continue
        array, constant = np.asarray(operand[0]), operand[1]
        if constant:
            constants.append(numpy_helper.from_array(array, name))
        else:
            kind = helper.np_dtype_to_tensor_dtype(array.dtype)
            inputs.append(helper.make_tensor_value_info(name, kind, array.shape))
            feed[name] = array
    outputs = [onnx_value(name) for name in node.output]
    graph = helper.make_graph([node], "case", inputs, outputs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", case.opset)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return node, session.run(None, feed)


def onnx_value(name):
    from onnx import ValueInfoProto

    return ValueInfoProto(name=name)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=pathlib.Path, required=True)
    parser.add_argument("--number", type=int, default=40, help="cases for each operator")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ops", nargs="*", default=sorted(GENERATORS))
    arguments = parser.parse_args()
    written, refused = 0, {}
    with arguments.calls.open("w") as out:
        for op in arguments.ops:
            for number in range(arguments.number):
                case = GENERATORS[op](Draw([arguments.seed, sum(map(ord, op)), number]))
                try:
                    node, results = run(case)
                except Exception as error:  # the runtime's own types derive from nothing narrower
                    refused.setdefault(op, []).append(f"{number}: {str(error).splitlines()[0][:150]}")
                    continue
                reason = write_call(out, f"{op}_{number}", node, case.opset, case.operands, results)
                if reason:
                    raise SystemExit(f"{op}_{number}: {reason}")
                written += 1
    print(f"seed {arguments.seed}: {written} calls written, {sum(map(len, refused.values()))} refused by the runtime", file=sys.stderr)
    for op, reasons in refused.items():
        print(f"  {op} {len(reasons)}: {reasons[0]}", file=sys.stderr)


if __name__ == "__main__":
    main()
