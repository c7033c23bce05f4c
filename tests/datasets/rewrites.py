#!/usr/bin/env python3
"""ONNX Runtime, its optimisations switched off, on the pairs of datasets/rewrites: rewrites.py FOLDER

Whatever is called wrong gives other numbers at some inputs, nowhere but where its expectation says; whatever is called right
gives the same ones at all of them.
"""

import re
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

RUNS = 40
CLOSE = 1e-5


class Case:
    """Both programs of a file, and what it expects."""

    def __init__(self, path):
        text = path.read_text()
        headers = dict(re.findall(r"^# (\w+): *(.*)$", text, re.MULTILINE))
        sets = headers.get("opset", "17").split()
        programs = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)
        second = programs.index("\nmutant (") + 1
        self.expected = headers["expect"]
        self.original = program(programs[:second], sets[0])
        self.mutant = program(programs[second:], sets[-1])

    def boxes(self):
        """Nothing where the case names none."""
        boxes = self.expected.partition("wrong=")[2].split()
        return [[slice(*map(int, pair)) for pair in re.findall(r"\[(\d+),(\d+)\)", box)] for box in boxes]


def program(text, opset):
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": {opset}]>\n{text}')
    onnx.checker.check_model(model)
    return model


def session(model):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])


def drawn(value, random):
    kind = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
    shape = [axis.dim_value for axis in value.type.tensor_type.shape.dim]
    if kind == bool:
        return random.integers(0, 2, shape).astype(bool)
    if np.issubdtype(kind, np.integer):
        return random.integers(-9 if np.issubdtype(kind, np.signedinteger) else 0, 9, shape).astype(kind)
    return np.where(random.random(shape) < 0.1, 0, random.standard_normal(shape) * 2).astype(kind)


def differing(a, b):
    if a.shape != b.shape:
        return None
    a, b = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(invalid="ignore"):
        return (np.abs(a - b) > CLOSE * (1 + np.abs(a))) & ~(np.isnan(a) | np.isnan(b) | np.isinf(a) | np.isinf(b))


def complaints(path):
    case = Case(path)
    random = np.random.default_rng(1)
    original, mutant = session(case.original), session(case.mutant)
    seen = False
    for _ in range(RUNS):
        inputs = {value.name: drawn(value, random) for value in case.original.graph.input}
        for a, b in zip(original.run(None, inputs), mutant.run(None, inputs)):
            where = differing(a, b)
            seen = seen or where is None or where.any()
            if where is None or not case.boxes() or not where.any():
                continue
            for box in case.boxes():
                where[tuple(box)] = False
            if where.any():
                yield f"differs at {np.argwhere(where)[0].tolist()}, outside of {case.expected}"
    if seen and path.name == "right.txt":
        yield "is not right"
    if not seen and path.name == "wrong.txt":
        yield "is not wrong"


def main():
    paths = sorted(Path(sys.argv[1]).glob("*/*.txt"))
    found = [f"FAILED: {path.parent.name}/{path.name} {what}" for path in paths for what in complaints(path)]
    print("\n".join(found) or f"{len(paths)} rewrites are what they are called")
    return 1 if found or not paths else 0


sys.exit(main())
