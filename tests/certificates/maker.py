"""Certificates made by the checker's own parts, so that tests need no other program."""

import json
import sys
from pathlib import Path

import onnx

sys.path.insert(
    0, str(Path(__file__).resolve().parents[2] / "verify" / "certificate_checker")
)

from checker import obligations, primes  # noqa: E402
from checker.check import test_seed  # noqa: E402
from checker.digests import of_bytes  # noqa: E402
from checker.pair import Pair, Side  # noqa: E402


def model(nodes, inputs, outputs, constants=(), opset=17, ir=8, metadata=None):
    """`inputs` and `outputs`: name to shape (floats); `constants`: name to array."""
    helper = onnx.helper
    kinds = onnx.TensorProto
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(n, kinds.FLOAT, s) for n, s in inputs.items()],
        [helper.make_tensor_value_info(n, kinds.FLOAT, s) for n, s in outputs.items()],
        [onnx.numpy_helper.from_array(v, n) for n, v in dict(constants).items()],
    )
    out = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir)
    for key, value in (metadata or {}).items():
        out.metadata_props.add(key=key, value=value)
    return out


def _evidence(pair, seed, programs):
    numbers = obligations.numbers_of(pair)
    number = primes.needed_for(numbers, -64)
    drawn_from = test_seed(seed.hex(), programs)
    found = primes.drawn(drawn_from, number)
    return {
        "seed": seed.hex(), "primes": found, "degree": numbers[1], "length_blocks": numbers[2],
        "elements": numbers[0], "log2_error": primes.log2_error(*numbers, number),
        "values": obligations.values_of(pair, drawn_from, found),
    }


def certificate(path_a, path_b, sizes=None, weights="symbols", engine="bitmap", seed=b"s" * 32, programs=None, pairs=()):
    """What the writer would write; the claim is not checked. `programs`: that the second file does not carry; `pairs`: by
    places, each as a, b, from and, where axes are moved, their order."""
    a, b = Side(path_a), Side(path_b)
    is_copy = engine == "places" and not pairs and a.file.bytes == b.file.bytes
    for side in (a, b):
        side.open(is_copy)
    pair = Pair(a, b, sizes or {}, weights == "bound", is_copy, programs)
    if engine == "bitmap":
        evidence = _evidence(pair, seed, programs)
    else:
        evidence = {"pairs": [dict(zip(("a", "b", "from", "order"), (*told, None))) for told in pairs]}
    return obligations.expected(pair, sizes or {}, {"engine": engine, **evidence}, {"tool": "a test"})


def written(folder, first, second, **options):
    """Paths of a certificate and two files in a folder."""
    paths = [Path(folder) / name for name in ("certificate.json", "a.onnx", "b.onnx")]
    for path, content in zip(paths[1:], (first, second)):
        onnx.save(content, str(path))
    made = certificate(str(paths[1]), str(paths[2]), **options)
    paths[0].write_text(json.dumps(made))
    return [str(path) for path in paths]


def redigested(certificate_path, path_b, lenient=False):
    """Lets a certificate speak of another second file, which `lenient` allows to be none."""
    content = json.loads(Path(certificate_path).read_text())
    content["b"]["file"] = of_bytes(Path(path_b).read_bytes())
    if not lenient:
        side = Side(path_b)
        side.open()
        text = side.file.weight_programs
        content["weight_programs"] = None if text is None else of_bytes(text.encode())
    Path(certificate_path).write_text(json.dumps(content))
