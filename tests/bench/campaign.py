"""What the campaigns of this folder share: models are built, `pet` is run on them, its files are read."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

try:
    import numpy as np
except ImportError:
    sys.exit("run it with the Python of .venv: .venv/bin/python tests/bench/...")
import onnx
from onnx import TensorProto, helper, numpy_helper

here = Path(__file__).resolve().parent
build = Path(os.environ.get("PET_BUILD", here.parent.parent / "build" / "release"))
pet = build / "app" / "pet" / "pet"
pet_verify = build / "app" / "pet-verify" / "pet-verify"


class Net:
    """A network of convolutions, written down layer by layer; weights from a seed."""

    def __init__(self, shape, seed):
        self.numbers = np.random.default_rng(seed)
        self.nodes, self.constants = [], []
        self.shape, self.value, self.input_shape = list(shape), "x", list(shape)

    def node(self, operator, operands, **attributes):
        result = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, operands, [result], name=f"{operator.lower()}{len(self.nodes)}", **attributes))
        return result

    def conv(self, filters, kernel, stride=1, dilation=1, group=1, bias=True):
        rank = len(self.shape) - 2
        kernel, stride, dilation = ([v] * rank if isinstance(v, int) else list(v) for v in (kernel, stride, dilation))
        pads = [d * (k - 1) // 2 for k, d in zip(kernel, dilation)]
        shape = [filters, self.shape[1] // group, *kernel]
        scale = (2 / np.prod(shape[1:])) ** 0.5
        operands = [self.value]
        tensors = [self.numbers.standard_normal(shape) * scale] + ([self.numbers.standard_normal(filters) * 0.1] if bias else [])
        for tensor in tensors:
            name = f"w{len(self.constants)}"
            self.constants.append(numpy_helper.from_array(tensor.astype(np.float32), name))
            operands.append(name)
        self.value = self.node("Conv", operands, kernel_shape=kernel, strides=stride, dilations=dilation, pads=pads * 2, group=group)
        space = [(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, p, d, k, s in zip(self.shape[2:], pads, dilation, kernel, stride)]
        self.shape = [self.shape[0], filters, *space]
        return self

    def relu(self):
        self.value = self.node("Relu", [self.value])
        return self

    def add(self, value):
        self.value = self.node("Add", [self.value, value])
        return self

    def save(self, path):
        self.nodes[-1].output[0] = "output"
        x = helper.make_tensor_value_info("x", TensorProto.FLOAT, self.input_shape)
        y = helper.make_tensor_value_info("output", TensorProto.FLOAT, self.shape)
        graph = helper.make_graph(self.nodes, "campaign", [x], [y], self.constants)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def optimize(model, out, threads, budget, *flags):
    """The report and the events of one run; (None, why) where there is no report."""
    report, journal = out.with_suffix(".json"), out.with_suffix(".jsonl")
    command = [pet, "optimize", model, "-o", out, "--threads", str(threads), "--budget", budget, "--cache", "off"]
    began = time.monotonic()
    done = subprocess.run([*command, "--report", report, "--journal", journal, *flags], capture_output=True, text=True)
    if done.returncode != 0:
        return None, f"exit code {done.returncode}: {done.stderr.strip()}"
    result = json.loads(report.read_text())
    result["wall"] = time.monotonic() - began
    return result, [json.loads(line) for line in journal.read_text().splitlines()]


def bench(a, b, threads, budget):
    """(median, low, high, decision) of b against a."""
    done = subprocess.run([pet, "bench", a, b, "--threads", str(threads), "--budget", budget], capture_output=True, text=True)
    found = re.search(r"is ([\d.]+)x as fast \(at least ([\d.]+), at most (\S+)\): (\w+)", done.stdout)
    if not found:
        sys.exit(f"pet bench {a} {b}: {done.stderr}")
    return float(found[1]), float(found[2]), float(found[3]), found[4]


def verify(a, b):
    """What pet-verify calls the two files."""
    done = subprocess.run([pet_verify, a, b], capture_output=True, text=True)
    return done.returncode == 0, done.stdout.split("\n", 1)[0]


def best_measured(events, only=""):
    """The candidate with the highest measured ratio whose description holds `only`: (ratio, low, how)."""
    measured = [e for e in events if e.get("event") == "candidate_measured" and only in e["how"]]
    if not measured:
        return None
    best = max(measured, key=lambda e: e["ratio"]["median"])
    return best["ratio"]["median"], best["ratio"]["low"], best["how"]
