#!/usr/bin/env python3
"""Runs and times ONNX files in ONNX Runtime for a program that must not die with it.

One JSON object a line on stdin and stdout; tensors travel as files of raw little-endian values. README.md beside this
file describes the protocol. The worker ends when its stdin closes, so it never outlives the program that started it.
Over 400 lines: it is one file that another machine can be given.
"""

import base64
import binascii
import functools
import gc
import hashlib
import json
import os
import queue
import random
import re
import sys
import tempfile
import threading
import time
import zlib

# Native libraries print to file descriptor 1. The protocol keeps a private copy of it; all else goes to stderr.
PROTOCOL_OUT = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

# Its Python package reports its use to its maker from threads of its own, unless told not to before it is loaded.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import numpy as np  # noqa: E402
import onnxruntime as ort  # noqa: E402

PROTOCOL = 2
GRACE_SECONDS = 5  # what a request may still take once nobody listens any more
NUMPY_TYPE = {
    "float": "float32", "double": "float64", "float16": "float16", "bool": "bool",
    "int8": "int8", "int16": "int16", "int32": "int32", "int64": "int64",
    "uint8": "uint8", "uint16": "uint16", "uint32": "uint32", "uint64": "uint64",
}  # fmt: skip


def build_digest():
    """Of this file and of the runtime's library: times of another build are other times."""
    digest = hashlib.blake2b(digest_size=32)
    for file in (__file__, ort.capi.onnxruntime_pybind11_state.__file__):
        with open(file, "rb") as content:
            digest.update(content.read())
    return digest.hexdigest()


class Refused(Exception):
    """A request that cannot be served; its text is the answer."""


def cpu_model():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            for line in info:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return os.uname().machine


def printable(text):
    """On one line, with what could command a terminal escaped: names in a model are anybody's."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(text.split()))


def element_type(ort_type):
    """'tensor(float)' -> 'float'; other values (sequences, optionals) keep their full name."""
    return ort_type[len("tensor(") : -1] if ort_type.startswith("tensor(") else ort_type


def numpy_type(name):
    if name not in NUMPY_TYPE:
        raise Refused(f"tensors of type {name} are not carried")
    return np.dtype(NUMPY_TYPE[name])


def onnx_type(name, array):
    for word, numpy_name in NUMPY_TYPE.items():
        if array.dtype == np.dtype(numpy_name):
            return word
    raise Refused(f"output {name!r} has elements of type {array.dtype}, which are not carried")


def as_bytes(texts):
    """One after another, each with its end."""
    return np.frombuffer(b"".join(str(text).encode() + b"\0" for text in texts), dtype=np.uint8)


def tensors_in(name, value):
    """A result as named arrays: sequences by their items, maps by keys in order and their values, texts as bytes."""
    if value is None:
        return [(f"{name} (none)", np.zeros(0, dtype=np.uint8))]
    if isinstance(value, dict):
        keys = sorted(value)
        shown = as_bytes(keys) if any(isinstance(key, str) for key in keys) else np.array(keys, dtype=np.int64)
        return [(f"{name} (keys)", shown), *tensors_in(f"{name} (values)", np.array([value[k] for k in keys]))]
    if isinstance(value, list):
        return [part for i, item in enumerate(value) for part in tensors_in(f"{name}[{i}]", item)]
    array = np.asarray(value)
    return [(name, as_bytes(array.flat) if array.dtype.kind in "OUS" else array)]


class Model:
    ranges = {}  # what random inputs are drawn from, by name: (low, high)

    def __init__(self, path, threads, dimensions, profile_prefix=None):
        options = ort.SessionOptions()
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3  # errors only
        # Threads of one model that still wait busily after its run would take the cores from the next model.
        options.add_session_config_entry("session.force_spinning_stop", "1")
        for name, size in dimensions.items():
            options.add_free_dimension_override_by_name(name, size)
        if profile_prefix is not None:
            options.enable_profiling = True
            options.profile_file_prefix = profile_prefix
        self.path, self.threads, self.dimensions = path, threads, dimensions
        self.session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.inputs = [describe(value) for value in self.session.get_inputs()]
        for value in self.inputs:  # an open dimension without a name is given as input:axis
            for axis, size in enumerate(value["shape"]):
                value["shape"][axis] = dimensions.get(f"{value['name']}:{axis}", size) if size < 0 else size
        self.outputs = [describe(value) for value in self.session.get_outputs()]

    def bound(self, tensors):
        binding = self.session.io_binding()
        for name, tensor in tensors.items():
            binding.bind_cpu_input(name, tensor)
        for output in self.outputs:
            binding.bind_output(output["name"], "cpu")
        return binding

    def random_inputs(self, seed):
        """Equal names, types, shapes and seeds give equal values, in whichever model they stand."""
        tensors = {}
        for value in self.inputs:
            if any(size < 0 for size in value["shape"]):
                raise Refused(f"input {value['name']!r} has a free dimension {value['shape']}; give its size")
            rng = np.random.default_rng([seed, zlib.crc32(value["name"].encode())])
            low, high = self.ranges.get(value["name"], (None, None))
            tensor = draw(rng, numpy_type(value["type"]), value["shape"], low, high)
            tensors[value["name"]] = np.ascontiguousarray(tensor)
        return tensors


def draw(rng, dtype, shape, low, high):
    """Values between the ends that the readers of an input admit; None where there is no end."""
    if dtype.kind != "f":  # 0 and 1 are an index into nearly everything
        bounds = (0, 1) if low is None or high is None or dtype.kind == "b" else (int(low), int(high))
        largest = 1 if dtype.kind == "b" else np.iinfo(dtype).max
        return rng.integers(bounds[0], min(bounds[1], largest) + 1, shape, dtype=np.int64).astype(dtype)
    if low is not None and high is not None:
        return rng.uniform(low, high, shape).astype(dtype)
    values = rng.standard_normal(shape, dtype=np.float32)
    if low is not None:
        values = low + np.abs(values)
    elif high is not None:
        values = high - np.abs(values)
    return values.astype(dtype)


def describe(value):
    shape = [size if isinstance(size, int) else -1 for size in value.shape]
    return {"name": value.name, "type": element_type(value.type), "shape": shape}


class Evictor:
    """Reads a large buffer on every core the models use, so that the next run finds its weights in memory only."""

    SHARE = 8 << 20  # at least this much a core: more than its private caches hold

    def __init__(self, mib, threads):
        self.parts = []
        if mib <= 0:
            return
        total = max(mib << 20, self.SHARE)
        buffer = np.ones(total // 8, dtype=np.int64)
        share = max(total // threads, self.SHARE) // 8
        for index in range(threads):
            start = min(index * (total // threads) // 8, len(buffer) - share)
            self.parts.append(buffer[start : start + share])

    def __call__(self):
        helpers = [threading.Thread(target=part.sum) for part in self.parts[1:]]
        for helper in helpers:
            helper.start()
        for part in self.parts[:1]:
            part.sum()
        for helper in helpers:
            helper.join()


CONTAINERS = ("If", "Loop", "Scan")  # their time is that of the operators inside of them, too


def outermost(run):
    """The operators of a run that run in no other one; each is recorded when it ends."""
    kept, inside_from = [], None
    for event in reversed(run):
        if inside_from is not None and event["ts"] >= inside_from:
            continue
        inside_from = event["ts"] if event["args"]["op_name"] in CONTAINERS else None
        kept.append(event)
    return kept[::-1]


def operator_times(events, runs):
    """What the runtime recorded of its last runs, by operator: a sample a run, in the order in which they ran."""
    ending = "_kernel_time"
    recorded = [[]]
    for event in events:
        if event["cat"] == "Node" and event["name"].endswith(ending):
            recorded[-1].append(event)
        elif event["name"] == "model_run":  # which is recorded behind its operators
            recorded.append([])
    recorded = recorded[:-1][-runs:]
    if len(recorded) < runs:
        raise Refused(f"the runtime recorded {len(recorded)} of {runs} runs")
    times = {}
    for number, run in enumerate(recorded):
        for event in outermost(run):
            key = (event["name"][: -len(ending)], event["args"]["op_name"])
            ns, calls = times.setdefault(key, ([0] * runs, [0] * runs))
            ns[number] += event["dur"] * 1000
            calls[number] += 1
    return [
        {"name": name, "type": op_type, "calls": max(calls), "ns": ns}
        for (name, op_type), (ns, calls) in times.items()
    ]


class BlobStore:
    """What was sent: bytes by their digest, in a folder that is deleted in the end. A name is a digest or is refused.

    The folder is made with the first of them: a worker that is killed leaves nothing behind where nothing was sent.
    """

    LARGEST_PART = 8 << 20
    LARGEST_BLOB = 64 << 30

    @functools.cached_property
    def folder(self):
        return tempfile.TemporaryDirectory(prefix="pet-worker_")

    @staticmethod
    def checked(digest):
        if not isinstance(digest, str) or not re.fullmatch("[0-9a-f]{64}", digest):
            raise Refused(f"{str(digest)[:80]!r} is no digest")
        return digest

    def place(self, digest):
        return os.path.join(self.folder.name, self.checked(digest))

    def has(self, digest):
        self.checked(digest)
        return "folder" in self.__dict__ and os.path.exists(self.place(digest))

    def file(self, digest):
        if not self.has(digest):
            raise Refused(f"there is no blob {digest}")
        return self.place(digest)

    def put(self, digest, size, offset, data):
        growing = self.place(digest) + ".part"
        there = os.path.getsize(growing) if offset and os.path.exists(growing) else 0
        is_too_long = len(data) > self.LARGEST_PART or size > self.LARGEST_BLOB or offset + len(data) > size
        if there != offset or is_too_long:
            raise Refused("a part of a blob that does not follow the one before")
        with open(growing, "ab" if offset else "wb") as out:
            out.write(data)
        if offset + len(data) == size:
            self.finish(digest, growing)
        return offset + len(data)

    def finish(self, digest, growing):
        with open(growing, "rb") as whole:
            found = hashlib.blake2b(whole.read(), digest_size=32).hexdigest()
        if found != digest:
            os.remove(growing)
            raise Refused("a blob that has another digest")
        os.replace(growing, self.place(digest))

    def keep(self, data):
        digest = hashlib.blake2b(data, digest_size=32).hexdigest()
        with open(self.place(digest), "wb") as out:
            out.write(data)
        return digest

    def get(self, digest, offset):
        with open(self.file(digest), "rb") as blob:
            if not 0 <= offset <= os.fstat(blob.fileno()).st_size:
                raise Refused("an offset behind the end of a blob")
            blob.seek(offset)
            return blob.read(self.LARGEST_PART)


def tensors_of(graph):
    """Every tensor that a graph holds, at any depth."""
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            yield from (*attribute.tensors, attribute.t)
            for inner in (*attribute.graphs, attribute.g):
                yield from tensors_of(inner) if inner.ByteSize() else ()


class Worker:
    def __init__(self):
        self.models = {}
        self.store = BlobStore()
        self.next_handle = 1
        self.closed = threading.Event()
        self.requests = queue.SimpleQueue()

    def model(self, request, key="handle"):
        handle = request[key]
        if handle not in self.models:
            raise Refused(f"there is no model with handle {handle!r}")
        return self.models[handle]

    def check_skeleton(self, path):
        """A model that was sent may refer to what was sent, and to nothing else here."""
        try:
            import onnx
        except ImportError:
            raise Refused("what was sent cannot be checked: the onnx package is not installed") from None
        try:
            model = onnx.load(path, load_external_data=False)
        except Exception:
            return  # the runtime says what is wrong with it
        for tensor in tensors_of(model.graph):
            for entry in tensor.external_data:
                if entry.key == "location":
                    self.store.checked(entry.value)

    def file_of(self, request, key):
        """A path, or what was sent under a digest."""
        return self.store.file(request["blob"]) if "blob" in request else request[key]

    def load(self, request):
        path = self.file_of(request, "model")
        if not os.path.isfile(path):
            raise Refused(f"there is no file {path!r}")
        if "blob" in request:
            self.check_skeleton(path)
        model = Model(path, int(request["threads"]), request.get("dimensions", {}))
        model.ranges = request.get("ranges", {})
        handle, self.next_handle = self.next_handle, self.next_handle + 1
        self.models[handle] = model
        return {"handle": handle, "inputs": model.inputs, "outputs": model.outputs}

    def unload(self, request):
        self.model(request)
        del self.models[request["handle"]]
        return {}

    def run(self, request):
        model = self.model(request)
        tensors = {}
        for name, tensor in request["inputs"].items():
            values = np.fromfile(self.file_of(tensor, "file"), dtype=numpy_type(tensor["type"]))
            tensors[name] = values.reshape(tensor["shape"])
        results = model.session.run(None, tensors)
        answer = []
        parts = [part for output, value in zip(model.outputs, results) for part in tensors_in(output["name"], value)]
        for index, (name, value) in enumerate(parts):
            part = {"name": name, "type": onnx_type(name, value), "shape": list(value.shape)}
            if "outputs" in request:
                part["file"] = os.path.join(request["outputs"], f"output{index}.bin")
                np.ascontiguousarray(value).tofile(part["file"])
            else:
                part["blob"] = self.store.keep(np.ascontiguousarray(value).tobytes())
            answer.append(part)
        return {"outputs": answer}

    def have(self, request):
        return {"missing": [digest for digest in request["digests"] if not self.store.has(digest)]}

    def put(self, request):
        try:
            data = base64.b64decode(request["data"], validate=True)
        except binascii.Error:
            raise Refused("a part of a blob that is no base64") from None
        return {"received": self.store.put(request["digest"], int(request["size"]), int(request["offset"]), data)}

    def get(self, request):
        part = self.store.get(request["digest"], int(request["offset"]))
        return {"data": base64.b64encode(part).decode()}

    def pair(self, request):
        samples = self.in_turn([self.model(request, "a"), self.model(request, "b")], request)
        return {"a_ns": samples[0], "b_ns": samples[1]}

    def together(self, request):
        models = [self.model({"handle": handle}) for handle in request["handles"]]
        if len(models) < 2:
            raise Refused("one model is not run in turn")
        return {"ns": self.in_turn(models, request)}

    def in_turn(self, models, request):
        """Each once in every round: by model, a sample a round."""
        seed = int(request["seed"])
        # The tensors must outlive the bindings that point into them.
        tensors = [model.random_inputs(seed) for model in models]
        bindings = [model.bound(values) for model, values in zip(models, tensors)]
        evict = Evictor(int(request["evict_mib"]), max(model.threads for model in models))
        order = random.Random(int(request["order_seed"]))
        warmup, rounds = int(request["warmup"]), int(request["rounds"])
        if rounds < 1 or warmup < 0:
            raise Refused("there is one round to time or more, and no number in that is negative")
        samples = [[] for _ in models]
        turns = list(range(len(models)))
        clock = time.perf_counter_ns
        gc.collect()
        gc.disable()
        try:
            for number in range(warmup + rounds):
                if self.closed.is_set():
                    raise Refused("the program that asked is gone")
                # Which goes first is drawn anew each round: without a true difference, either is ahead with
                # probability one half whatever the machine does, and the statistics rest on that.
                order.shuffle(turns)
                for which in turns:
                    evict()
                    session, binding = models[which].session, bindings[which]
                    started = clock()
                    session.run_with_iobinding(binding)
                    took = clock() - started
                    if number >= warmup:
                        samples[which].append(took)
        finally:
            gc.enable()
        return samples

    def profile(self, request):
        """In a session of its own: one that records is slower."""
        model = self.model(request)
        warmup, runs = int(request["warmup"]), int(request["runs"])
        if runs < 1 or warmup < 0:
            raise Refused("there is one round to time or more, and no number in that is negative")
        evict = Evictor(int(request["evict_mib"]), model.threads)
        with tempfile.TemporaryDirectory(prefix="pet-profile_") as folder:
            watched = Model(model.path, model.threads, model.dimensions, os.path.join(folder, "profile"))
            try:
                watched.ranges = model.ranges
                tensors = watched.random_inputs(int(request["seed"]))
                binding = watched.bound(tensors)
                samples = self.timed_runs(watched.session, binding, evict, warmup, runs, float(request["seconds"]))
            finally:
                file = watched.session.end_profiling()
            with open(file, encoding="utf-8") as log:
                events = json.load(log)
        return {"runs_ns": samples, "operators": operator_times(events, len(samples))}

    def timed_runs(self, session, binding, evict, warmup, runs, seconds):
        clock = time.perf_counter_ns
        samples = []
        begun = clock()
        for number in range(warmup + runs):
            if self.closed.is_set():
                raise Refused("the program that asked is gone")
            if samples and clock() - begun > seconds * 1e9:
                break
            evict()
            started = clock()
            session.run_with_iobinding(binding)
            took = clock() - started
            if number >= warmup:
                samples.append(took)
        return samples

    def answer(self, request):
        if request is None:
            return {"id": None, "ok": False, "error": "a request is one JSON object a line"}
        actions = {
            "load": self.load,
            "run": self.run,
            "pair": self.pair,
            "together": self.together,
            "profile": self.profile,
            "unload": self.unload,
            "have": self.have,
            "put": self.put,
            "get": self.get,
        }
        op = request.get("op")
        action = actions.get(op) if isinstance(op, str) else None
        reply = {"id": request.get("id")}
        try:
            if action is None:
                raise Refused(f"unknown request {request.get('op')!r}")
            reply.update(ok=True, **action(request))
        except KeyError as missing:
            reply.update(ok=False, error=f"the request lacks {missing}")
        except Exception as error:  # whatever the runtime raises about a model is an answer, not an end
            text = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
            reply.update(ok=False, error=printable(text))
        return reply

    def listen(self):
        sys.stdin.reconfigure(errors="replace")  # what is no UTF-8 is no request, and no end either
        for line in sys.stdin:
            self.requests.put(line)
        self.closed.set()
        self.requests.put(None)
        time.sleep(GRACE_SECONDS)
        os._exit(1)  # the main thread is stuck in native code and nobody waits for it

    def serve(self):
        say({
            "hello": {
                "runtime": "onnxruntime",
                "version": ort.__version__,
                "device": cpu_model(),
                "threads": len(os.sched_getaffinity(0)),
                "build": build_digest(),
                "options": {"precision": "fp32", "fusion": "all"},
                "memory": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
                "protocol": PROTOCOL,
                "offers": ["profile", "blobs", "together"],
            }
        })  # fmt: skip
        threading.Thread(target=self.listen, daemon=True).start()
        while (line := self.requests.get()) is not None:
            request = read_request(line)
            if request is not None and request.get("op") == "quit":
                return
            say(self.answer(request))


def read_request(line):
    """An object; None: the line holds none."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return request if isinstance(request, dict) else None


def say(message):
    PROTOCOL_OUT.write(json.dumps(message) + "\n")
    PROTOCOL_OUT.flush()


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        print(f"pet-worker, protocol {PROTOCOL}, onnxruntime {ort.__version__}", file=PROTOCOL_OUT)
    elif sys.argv[1:]:
        sys.exit("pet-worker: takes no arguments but --version; it answers JSON lines on stdin")
    else:
        Worker().serve()
