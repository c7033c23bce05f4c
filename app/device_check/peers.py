"""Times models in what else is installed on a machine with a GPU: PyTorch (eager, compiled), ONNX Runtime with CUDA.

peers.py --out FILE --seconds S MODEL.onnx...

Products in fp32 without TensorFloat-32, as CUDA graphs where the peer has them. What is not installed is named with its reason.
"""

import argparse
import json
import os
import statistics
import time

RUNS = 20


def reason(error):
    return f"{type(error).__name__}: {error}".splitlines()[0][:200]


class Missing(Exception):
    pass


def attributes(onnx, node):
    return {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}


def padded(torch, x, pads, value):
    """Zeros before and behind each of the last axes; pads as ONNX has them."""
    axes = len(pads) // 2
    both = [p for axis in reversed(range(axes)) for p in (pads[axis], pads[axes + axis])]
    return torch.nn.functional.pad(x, both, value=value) if any(pads) else x


def of_nodes(torch, onnx, graph, weights):
    """The program as a function of its input, node by node."""
    F = torch.nn.functional

    def conv(x, w, b=None, **a):
        axes = w.dim() - 2
        call = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}[axes]
        pads = a.get("pads", [0] * (2 * axes))
        even = pads[:axes] == pads[axes:]
        x = x if even else padded(torch, x, pads, 0.0)
        return call(x, w, b, a.get("strides", [1] * axes), pads[:axes] if even else 0, a.get("dilations", [1] * axes), a.get("group", 1))

    def max_pool(x, **a):
        axes = x.dim() - 2
        call = {2: F.max_pool2d, 3: F.max_pool3d}[axes]
        return call(padded(torch, x, a.get("pads", [0] * (2 * axes)), float("-inf")), a["kernel_shape"], a.get("strides"))

    def average_pool(x, **a):
        axes = x.dim() - 2
        call = {2: F.avg_pool2d, 3: F.avg_pool3d}[axes]
        if any(a.get("pads", [])) and not a.get("count_include_pad"):
            raise Missing("an average that leaves its zeros out")
        return call(padded(torch, x, a.get("pads", [0] * (2 * axes)), 0.0), a["kernel_shape"], a.get("strides"))

    operators = {
        "Conv": conv,
        "MaxPool": max_pool,
        "AveragePool": average_pool,
        "GlobalAveragePool": lambda x: x.mean(dim=list(range(2, x.dim())), keepdim=True),
        "Relu": F.relu,
        "Add": lambda x, y: x + y,
        "Flatten": lambda x, axis=1: x.flatten(axis),
        "Concat": lambda *x, axis: torch.cat(x, axis),
        "MatMul": torch.matmul,
        "Softmax": lambda x, axis=-1: torch.softmax(x, axis),
        "Transpose": lambda x, perm: x.permute(*perm),
        "Reshape": lambda x, shape: x.reshape(shape),
        "Gemm": lambda x, w, b=None, transB=0, **a: F.linear(x, w if transB else w.T, b),
        "BatchNormalization": lambda x, s, b, m, v, epsilon=1e-5, **a: F.batch_norm(x, m, v, s, b, False, 0.0, epsilon),
    }
    for node in graph.node:
        if node.op_type not in operators:
            raise Missing(f"no {node.op_type} here")

    def run(x):
        values = dict(weights)
        values[graph.input[0].name] = x
        for node in graph.node:
            operands = [values[name] for name in node.input if name]
            values[node.output[0]] = operators[node.op_type](*operands, **attributes(onnx, node))
        return values[graph.output[0].name]

    return run


def torch_model(torch, onnx, path):
    model = onnx.load(path)
    graph = model.graph
    weights = {}
    for tensor in graph.initializer:
        values = onnx.numpy_helper.to_array(tensor)
        weights[tensor.name] = values.tolist() if values.dtype.kind == "i" else torch.tensor(values, device="cuda")
    shape = [d.dim_value for d in graph.input[0].type.tensor_type.shape.dim]
    return of_nodes(torch, onnx, graph, weights), torch.randn(shape, device="cuda")


def graph_ms(torch, run, x):
    """The median of replays of a CUDA graph, by events."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side), torch.no_grad():
        for _ in range(3):
            run(x)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph), torch.no_grad():
        run(x)
    times = []
    for _ in range(RUNS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)


def ort_ms(ort, path):
    import numpy as np

    options = {"use_tf32": "0"}
    session = ort.InferenceSession(path, providers=[("CUDAExecutionProvider", options)])
    if "CUDAExecutionProvider" not in session.get_providers():
        raise Missing("this ONNX Runtime has no CUDA")
    entry = session.get_inputs()[0]
    x = ort.OrtValue.ortvalue_from_numpy(np.random.rand(*entry.shape).astype(np.float32), "cuda", 0)
    binding = session.io_binding()
    binding.bind_ortvalue_input(entry.name, x)
    binding.bind_output(session.get_outputs()[0].name, "cuda")
    times = []
    for i in range(RUNS + 3):
        begin = time.perf_counter()
        session.run_with_iobinding(binding)
        binding.synchronize_outputs()
        if i >= 3:
            times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times)


# By peer: what it needs, and how long a model takes in it.
def peers(missing):
    out = {}
    try:
        import onnx
        import torch

        if not torch.cuda.is_available():
            raise Missing("PyTorch finds no GPU")
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cudnn.benchmark = True
        out["eager"] = lambda path: graph_ms(torch, *torch_model(torch, onnx, path))

        def compiled(path):
            run, x = torch_model(torch, onnx, path)
            return graph_ms(torch, torch.compile(run), x)

        out["compiled"] = compiled
    except Exception as error:
        missing["PyTorch"] = reason(error)
    try:
        import onnxruntime as ort

        if "CUDAExecutionProvider" not in ort.get_available_providers():
            raise Missing("this ONNX Runtime has no CUDA")
        out["onnxruntime"] = lambda path: ort_ms(ort, path)
    except Exception as error:
        missing["ONNX Runtime"] = reason(error)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    end = time.monotonic() + options.seconds - 2
    result = {"missing": {}, "models": {}}
    all_peers = peers(result["missing"])
    # A compilation takes up to a minute: it comes last, and for the networks that it pays for.
    slow = ("compiled",)
    jobs = [(p, m) for p in all_peers if p not in slow for m in options.models]
    jobs += [(p, m) for p in all_peers if p in slow for m in options.models if "resnet3d18.b1" in m or "bert-pet.b1." in m]
    for peer, path in jobs:
        if time.monotonic() > end:
            break
        name = os.path.basename(path).removesuffix(".onnx")
        try:
            ms = all_peers[peer](path)
        except Exception as error:
            ms = reason(error)
        result["models"].setdefault(name, {})[peer] = ms
        with open(options.out, "w") as out:
            json.dump(result, out)
    with open(options.out, "w") as out:
        json.dump(result, out)


if __name__ == "__main__":
    main()
