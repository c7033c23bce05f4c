"""same_numbers.py A.onnx B.onnx: fails unless both compute the same in ONNX Runtime, up to rounding."""

import sys

import numpy as np
import onnxruntime

sessions = [onnxruntime.InferenceSession(path) for path in sys.argv[1:]]
declared = sessions[0].get_inputs()[0]
data = np.random.default_rng(5).standard_normal(declared.shape).astype(np.float32)
one, other = (session.run(None, {declared.name: data})[0] for session in sessions)
difference = np.abs(one - other).max() / np.abs(one).max()
if not difference < 1e-5:
    sys.exit(f"differ by {difference:.3g} of the largest output")
