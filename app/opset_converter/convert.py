#!/usr/bin/env python3
"""Makes an ONNX file one of another operator set with onnx.version_converter: convert.py IN OUT OPSET

Prints one line, a JSON object: {"onnx": version, "from": operator set, "before": nodes, "after": nodes}, or
{"error": text} where the converter does not take the file.
"""

import json
import os
import sys

# Native libraries print to file descriptor 1. The answer keeps a private copy of it; all else goes to stderr.
ANSWER = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)


def say(answer):
    ANSWER.write(json.dumps(answer) + "\n")
    ANSWER.flush()


def converted(source, target, opset):
    import onnx
    from onnx import version_converter

    model = onnx.load(source)
    before = next((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), 0)
    made = version_converter.convert_version(model, opset)
    onnx.checker.check_model(made)
    onnx.save(made, target)
    return {"onnx": onnx.__version__, "from": before, "before": len(model.graph.node), "after": len(made.graph.node)}


def main():
    source, target, opset = sys.argv[1:]
    try:
        say(converted(source, target, int(opset)))
    except Exception as problem:  # noqa: BLE001: whatever the converter throws is why it does not take the file
        say({"error": " ".join(str(problem).split()) or type(problem).__name__})
        sys.exit(1)


if __name__ == "__main__":
    main()
