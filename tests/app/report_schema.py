"""report_schema.py PET_VERIFY CASES SCHEMA TOLD RULES_SCHEMA: what pet-verify says of every case and rule is what its schema
allows, its counts, boxes and bitmaps agree, and its witnesses are small integers."""

import copy
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import fastjsonschema
import onnx

program, cases, schema, told_of_rules, rules_schema = sys.argv[1:]
validate = fastjsonschema.compile(json.loads(Path(schema).read_text()))
validate_rule = fastjsonschema.compile(json.loads(Path(rules_schema).read_text()))


# Their programs agree at small integers, or are defined at 0 alone.
EQUAL_AT_INTEGERS = {"atanh_differs.txt", "cast_differs.txt", "ceil_differs.txt", "floor_differs.txt", "round_differs.txt"}


def run(*arguments):
    done = subprocess.run([program, *arguments, "--format", "json"], stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def run_pair(*files):
    done = subprocess.run([program, *files, "--bitmap", "--format", "json"], stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def is_refused(report, check=validate):
    try:
        check(report)
    except fastjsonschema.JsonSchemaValueException:
        return True
    return False


def check_sums(report):
    """The counts, the boxes and the bitmap say the same."""
    for output in report.get("outputs", []):
        if "shape_a" in output:
            continue
        total = 0 if output["shape"] is None else math.prod(output["shape"])
        assert output["equal"] + output["different"] + output["unknown"] == output["total"] == total, report
        assert output["equal_bitmap"].count("1") == output["equal"], report
        assert (output["first_difference"] is None) == (output["equal"] == total), report
        if output["wrong_boxes"] is not None:
            volume = 0
            for box in output["wrong_boxes"]:
                inside = 1
                for low, high in zip(box["low"], box["high"]):
                    inside *= high - low
                volume += inside
            assert volume == total - output["equal"], report


reports = run("--bitmap", *(f"{cases}/{folder}" for folder in ("mutants", "ops", "adversarial")))
reports += run("--bitmap", "--engine", "theorem", "--as-published", f"{cases}/mutants")
reports += run("--bitmap", "--engine", "bitmap", f"{cases}/rounding")  # the others look at these for long
verdicts = set()
witnesses = 0
for report in reports:
    validate(report)
    check_sums(report)
    verdicts.add(report["verdict"])
    witness = report.get("witness")
    if witness:
        witnesses += 1
        assert witness["value_a"] != witness["value_b"], report
        for given in (witness["inputs"] or {}).values():
            is_small = all(value == int(value) and abs(value) <= 3 for value in given["values"])
            assert is_small or Path(report["files"][0]).name in EQUAL_AT_INTEGERS, report
            assert all(abs(value) <= 8 for value in given["values"]), report  # drawn near 0
assert {"equivalent", "partial", "different", "unknown", "shape-mismatch"} <= verdicts, verdicts
assert witnesses > 40, witnesses

# How many elements are not zero no file says: the output has no known shape, and no box is drawn in it.
with tempfile.TemporaryDirectory() as folder:
    for name, nodes in (("a", "i = NonZero(x)"), ("b", "r = Relu(x) i = NonZero(r)")):
        model = onnx.parser.parse_model(
            f'<ir_version: 8, opset_import: ["": 17]> g (float[2, 3] x) => (float[n] y) {{ {nodes} y = Cast<to = 1>(i) }}'
        )
        model.graph.output[0].type.tensor_type.ClearField("shape")
        onnx.save(model, f"{folder}/{name}.onnx")
    for second, verdict, boxes in (("a", "equivalent", []), ("b", "unknown", None)):
        report = run_pair(f"{folder}/a.onnx", f"{folder}/{second}.onnx")
        validate(report)
        check_sums(report)
        assert report["verdict"] == verdict and "content" not in report["reason"], report
        assert [report["outputs"][0][field] for field in ("shape", "wrong_boxes")] == [None, boxes], report

# What was kept from another batch says so, and everything else as before.
with tempfile.TemporaryDirectory() as folder:
    for known in (None, True):
        kept = run("--bitmap", "--cache", f"{folder}/cache", f"{cases}/mutants")
        for report in kept:
            validate(report)
            check_sums(report)
            assert report["timing"].get("cached") is known, report

# A schema that takes everything would show nothing.
partial = next(report for report in reports if report["verdict"] == "partial")
for change in (
    lambda r: r.pop("exit_code"),
    lambda r: r.update(verdict="perhaps"),
    lambda r: r.update(more=1),
    lambda r: r["outputs"][0].pop("equal"),
    lambda r: r["outputs"][0].update(equal=-1),
    lambda r: r["outputs"][0].update(equal_bitmap="2"),
    lambda r: r["witness"].update(position="0"),
    lambda r: r.update(proof_seed="5"),
):
    broken = copy.deepcopy(partial)
    change(broken)
    assert is_refused(broken), broken

# published_rules.sh has asked.
told = [json.loads(line) for file in sorted(Path(told_of_rules).glob("*.jsonl")) for line in file.read_text().splitlines()]
for rule in told:
    validate_rule(rule)
assert {"equivalent", "conditional"} <= {rule["verdict"] for rule in told}
for change in (
    lambda r: r.pop("shapes"),
    lambda r: r.update(verdict="partial"),
    lambda r: r.update(more=1),
    lambda r: r.pop("as_expected"),
    lambda r: r["shapes"][0].update(inputs={"x": [-1]}),
):
    broken = copy.deepcopy(told[0])
    change(broken)
    assert is_refused(broken, validate_rule), broken
print(f"{len(reports)} reports, {witnesses} witnesses, {len(told)} rules")
