"""transformers.py A.onnx B.onnx: both are valid and run in ONNX Runtime at two batches, and give the same numbers up to rounding."""

import sys

import numpy as np
import onnx
import onnxruntime

TOKENS = 8  # of a tiny model; also where their number is open


def data_for(declared, batch, generator):
    shape = [batch, *(TOKENS if isinstance(extent, str) else extent for extent in declared.shape[1:])]
    if declared.type == "tensor(float)":
        return generator.standard_normal(shape).astype(np.float32)
    if declared.name == "attention_mask":
        mask = np.ones(shape, np.int64)
        mask[-1, -3:] = 0  # the last text is shorter
        return mask
    return generator.integers(0, 2 if declared.name == "token_type_ids" else 100, shape)


def answers(session, batch):
    generator = np.random.default_rng(5)
    return session.run(None, {each.name: data_for(each, batch, generator) for each in session.get_inputs()})


def check(one, other):
    if not (one.shape == other.shape and np.isfinite(one).all() and np.isfinite(other).all()):
        sys.exit("other shapes, or numbers that are not finite")
    largest = np.abs(one).max()
    if not 0.1 < largest < 100:
        sys.exit(f"the largest output is {largest:.3g}")
    difference = np.abs(one - other).max() / largest
    if not difference < 1e-5:
        sys.exit(f"differ by {difference:.3g} of the largest output")


for path in sys.argv[1:]:
    onnx.checker.check_model(path, full_check=True)
sessions = [onnxruntime.InferenceSession(path) for path in sys.argv[1:]]
for batch in (1, 3):
    for one, other in zip(*(answers(session, batch) for session in sessions), strict=True):
        check(one, other)
