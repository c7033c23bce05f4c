#!/usr/bin/env python3
"""ResNet3D-18 made faster by hand: what an optimiser of video networks is measured against.

    resnet3d.py taps   IN.onnx OUT.onnx    3-D convolutions as 2-D ones over frames, one a temporal tap, summed
    resnet3d.py frames IN.onnx OUT.onnx    fast convolutions along the frames: three operators each (--tile N)

IN is what `pet models build resnet3d18` writes (batch 1, batch normalisations folded). Both keep the frames in front
through the whole network. Every constant that is not the original's carries its weight program, so that
`pet-verify IN OUT` can prove them equal.
"""

import argparse
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

import folding
import forms
from weight_programs import KEY, WeightPrograms

FEWEST_CHANNELS = 8  # a convolution of fewer gains nothing from a transform


class Rewriter:
    """Writes a network over [frames, channels, height, width] from one over [1, channels, frames, height, width]."""

    def __init__(self, model, convolution):
        self.source = model
        self.convolution = convolution
        self.weights = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
        self.programs = WeightPrograms()
        self.nodes, self.constants, self.shapes = [], {}, {}

    def constant(self, array, name):
        """Equal constants are written once."""
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self.constants:
            tensor = numpy_helper.from_array(np.ascontiguousarray(array), f"{name}.{len(self.constants)}")
            self.constants[key] = tensor
        return self.constants[key].name

    def integers(self, values, name="integers"):
        return self.constant(np.array(values, dtype=np.int64), name)

    def node(self, kind, operands, result, **attributes):
        self.nodes.append(helper.make_node(kind, operands, [result], **attributes))
        return result

    def reshape(self, x, shape, result):
        return self.node("Reshape", [x, self.integers(shape, "shape")], result)

    def run(self):
        graph = self.source.graph
        name = graph.input[0].name
        batch, channels, frames, height, width = (d.dim_value for d in graph.input[0].type.tensor_type.shape.dim)
        if batch != 1:
            sys.exit(f"one video at a time: {name} has {batch}")
        turned = self.node("Transpose", [name], name + "/frames_first", perm=[0, 2, 1, 3, 4])
        self.shapes[name] = (frames, channels, height, width)
        self.place = {name: self.reshape(turned, self.shapes[name], name + "/frames")}
        for node in graph.node:
            self.rewrite(node)
        return self.finished()

    def rewrite(self, node):
        x, y = node.input[0], node.output[0]
        self.place[y] = y
        operands = [self.place.get(i, i) for i in node.input]
        if node.op_type == "Conv":
            self.convolve(node, operands[0])
        elif node.op_type in ("Relu", "Add"):
            self.node(node.op_type, operands, y)
            self.shapes[y] = self.shapes[x]
        elif node.op_type == "GlobalAveragePool":
            self.node("ReduceMean", operands, y, axes=[0, 2, 3], keepdims=1)
        elif node.op_type in ("Flatten", "Gemm"):
            for used in node.input[1:]:
                self.constant_of_source(used)
            self.nodes.append(node)
        else:
            sys.exit(f"a {node.op_type} is no part of ResNet3D-18")

    def constant_of_source(self, name):
        array = self.weights[name]
        self.constants.setdefault(("source", name), numpy_helper.from_array(array, name))

    def convolve(self, node, x):
        layer = Convolution(node, self.weights, self.shapes[node.input[0]])
        self.shapes[node.output[0]] = layer.out
        self.convolution(self, layer, x)

    def explained(self, layer, suffix, array, value):
        """A constant with the weight program that ends in `value`."""
        self.programs.explain(array, value)
        return self.constant(array, layer.name + suffix)

    def finished(self):
        source = self.source.graph
        graph = helper.make_graph(
            self.nodes, source.name, source.input, source.output, list(self.constants.values())
        )
        model = helper.make_model(
            graph, opset_imports=self.source.opset_import, ir_version=self.source.ir_version
        )
        helper.set_model_props(model, {KEY: self.programs.encoded()})
        onnx.checker.check_model(model)
        return model


class Convolution:
    """A 3-D convolution of the source, its time axis apart from the other two."""

    def __init__(self, node, weights, shape):
        attributes = {a.name: list(a.ints) for a in node.attribute if a.ints}
        self.name = node.output[0]
        self.weight = weights[node.input[1]]  # filters, channels, taps, height, width
        self.bias = weights[node.input[2]]
        self.stride, self.pad = attributes["strides"][0], attributes["pads"][0]
        self.window = {
            "kernel_shape": list(self.weight.shape[3:]),
            "strides": attributes["strides"][1:],
            "pads": attributes["pads"][1:3] + attributes["pads"][4:6],
        }
        self.frames, self.channels, height, width = shape
        self.filters, _, self.taps = self.weight.shape[:3]
        steps = zip((height, width), *self.window.values(), self.window["pads"][2:])
        image = [(extent + low + high - kernel) // stride + 1 for extent, kernel, stride, low, high in steps]
        self.image = (height, width)
        self.out = ((self.frames + 2 * self.pad - self.taps) // self.stride + 1, self.filters, *image)

    def read(self, t, k):
        """The frame that tap k of result t reads, or None: padding."""
        frame = self.stride * t + k - self.pad
        return frame if 0 <= frame < self.frames else None

    def live_taps(self):
        return [k for k in range(self.taps) if any(self.read(t, k) is not None for t in range(self.out[0]))]


def one_tap(net, layer, k):
    """The weight of a tap as that of a 2-D convolution."""
    weight = np.ascontiguousarray(layer.weight[:, :, k])
    programs = net.programs
    bounds = [programs.integers([b]) for b in (k, k + 1, 2)]
    value = programs.node("Slice", [programs.operand(layer.weight), *bounds])
    value = programs.node("Reshape", [value, programs.integers(weight.shape)])
    return net.explained(layer, f"/tap{k}", weight, value)


def taps_summed(net, layer, x):
    """y = sum over taps of a 2-D convolution of the frames that the tap reads; the first has the bias."""
    bias = net.constant(layer.bias, layer.name + "/bias")
    after = layer.stride * (layer.out[0] - 1) + layer.taps - layer.pad - layer.frames
    padded = x
    if layer.pad > 0 or after > 0:
        pads = net.integers([layer.pad, 0, 0, 0, max(after, 0), 0, 0, 0], "pads")
        padded = net.node("Pad", [x, pads], layer.name + "/padded")
    live = layer.live_taps()
    total = None
    for k in live:
        last = k + layer.stride * (layer.out[0] - 1) + 1
        bounds = [net.integers([b]) for b in (k, last, 0, layer.stride)]
        frames = net.node("Slice", [padded, *bounds], f"{layer.name}/read{k}")
        result = layer.name if len(live) == 1 else f"{layer.name}/product{k}"
        operands = [frames, one_tap(net, layer, k)] + ([bias] if total is None else [])
        product = net.node("Conv", operands, result, **layer.window)
        if total is not None:
            product = net.node("Add", [total, product], layer.name if k == live[-1] else f"{layer.name}/sum{k}")
        total = product


def product_of_frames(net, matrix, x, shape, result):
    """A constant matrix times [frames, everything else], as `shape`; nothing where it changes nothing."""
    rows, frames = matrix.shape
    if np.array_equal(matrix, np.eye(frames)):
        return net.reshape(x, shape, result)
    flat = net.reshape(x, [frames, -1], result + "/flat")
    constant = net.constant(matrix.astype(np.float32), "frames")
    return net.reshape(net.node("MatMul", [constant, flat], result + "/mixed"), shape, result)


def taps_as_channels(net, layer, x):
    """One 2-D convolution of the frames that a result reads, beside each other as channels."""
    live = layer.live_taps()
    gather = np.zeros((layer.out[0] * len(live), layer.frames))
    for t in range(layer.out[0]):
        for i, k in enumerate(live):
            if layer.read(t, k) is not None:
                gather[t * len(live) + i, layer.read(t, k)] = 1
    shape = (layer.out[0], len(live) * layer.channels, *layer.image)
    x = product_of_frames(net, gather, x, shape, layer.name + "/frames")
    weight = layer.weight[:, :, live].transpose(0, 2, 1, 3, 4)
    weight = np.ascontiguousarray(weight.reshape(layer.filters, shape[1], *weight.shape[3:]))
    programs = net.programs
    value = programs.operand(layer.weight)
    bounds = [programs.integers([b]) for b in (live[0], live[-1] + 1, 2)]
    value = programs.node("Slice", [value, *bounds])
    value = programs.node("Transpose", [value], perm=[0, 2, 1, 3, 4])
    value = programs.node("Reshape", [value, programs.integers(weight.shape)])
    weight = net.explained(layer, "/taps", weight, value)
    net.node("Conv", [x, weight, net.constant(layer.bias, layer.name + "/bias")], layer.name, **layer.window)


def fast(net, layer, x, form):
    """Matrix, one 2-D convolution with a group for each product, matrix."""
    tiles = -(-layer.out[0] // form.outputs)
    rows = tiles * form.products
    data = np.zeros((rows, layer.frames))
    join = np.zeros((layer.out[0], rows))
    for tile in range(tiles):
        for p in range(form.products):
            for u, value in enumerate(form.data[p]):
                frame = tile * form.outputs * form.stride + u - layer.pad
                if 0 <= frame < layer.frames:
                    data[tile * form.products + p, frame] = value
            for j in range(form.outputs):
                if tile * form.outputs + j < layer.out[0]:
                    join[tile * form.outputs + j, tile * form.products + p] = form.join[j][p]
    shape = (tiles, form.products * layer.channels, *layer.image)
    x = product_of_frames(net, data, x, shape, layer.name + "/points")
    operands = [x, transformed_weight(net, layer, form), bias_in_one_product(net, layer, form)]
    product = net.node("Conv", operands, layer.name + "/products", group=form.products, **layer.window)
    rows_first = net.reshape(product, [rows, -1], layer.name + "/rows")
    product_of_frames(net, join, rows_first, layer.out, layer.name)


def transformed_weight(net, layer, form):
    numerators, odd = folding.over_common_odd(form.taps)
    taps = [layer.weight[:, :, k] for k in range(layer.taps)]
    weight = []
    for row in numerators:
        used = [k for k in range(layer.taps) if row[k] != 0]
        weight.append(folding.nearest([row[k] for k in used], [taps[k] for k in used], odd))
    weight = np.concatenate(weight)
    programs = net.programs
    matrix = programs.literal(numerators)
    if odd > 1:  # the mean of a number and `odd - 1` zeros
        wide = programs.node("Reshape", [matrix, programs.integers([*numerators.shape, 1])])
        wide = programs.node("Pad", [wide, programs.integers([0, 0, 0, 0, 0, odd - 1])])
        matrix = programs.node("ReduceMean", [wide], axes=[2], keepdims=0)
    value = programs.node("Transpose", [programs.operand(layer.weight)], perm=[2, 0, 1, 3, 4])
    value = programs.node("Reshape", [value, programs.integers([layer.taps, -1])])
    value = programs.node("MatMul", [matrix, value])
    value = programs.node("Reshape", [value, programs.integers(weight.shape)])
    return net.explained(layer, "/weights", weight, value)


def bias_in_one_product(net, layer, form):
    before = form.bias_product() * layer.filters
    after = (form.products - 1) * layer.filters - before
    bias = np.pad(layer.bias, (before, after))
    pads = net.programs.integers([before, after])
    value = net.programs.node("Pad", [net.programs.operand(layer.bias), pads])
    return net.explained(layer, "/bias", bias, value)


def fast_frames(tile):
    def convolution(net, layer, x):
        frames = layer.out[0]
        if layer.taps == 1 or frames == 1 or layer.channels < FEWEST_CHANNELS:
            taps_as_channels(net, layer, x)
        elif layer.stride == 2:
            fast(net, layer, x, forms.every_second(min(2, frames)))
        elif frames == 2:
            fast(net, layer, x, forms.two_frames())
        else:
            fast(net, layer, x, forms.toom_cook(min(tile, frames), layer.taps))

    return convolution


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("form", choices=["taps", "frames"])
    parser.add_argument("original")
    parser.add_argument("result")
    parser.add_argument("--tile", type=int, default=4, choices=range(2, 9), help="frames that a tile makes")
    options = parser.parse_args()
    convolution = taps_summed if options.form == "taps" else fast_frames(options.tile)
    onnx.save(Rewriter(onnx.load(options.original), convolution).run(), options.result)


if __name__ == "__main__":
    main()
