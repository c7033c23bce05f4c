#!/usr/bin/env python3
"""Solves integer linear programs with HiGHS for a program that must not die or hang with it.

One JSON object a line on stdin and stdout; README.md beside this file describes the protocol. The worker ends when its
stdin closes, so it never outlives the program that started it.
"""

import json
import math
import os
import resource
import sys
import threading

# Native libraries print to file descriptor 1. The protocol keeps a private copy of it; all else goes to stderr.
PROTOCOL_OUT = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

PROTOCOL = 1
MOST_MEMORY = 8 << 30  # bytes of address space


def say(message):
    PROTOCOL_OUT.write(json.dumps(message) + "\n")
    PROTOCOL_OUT.flush()


def end_with(reason):
    """Before the first line: whoever started the worker reads it instead of the greeting."""
    say({"error": reason})
    sys.exit(1)


try:
    import highspy
except ImportError:
    end_with("the Python package highspy is not there: run tools/setup, or pip install highspy")


def bounds(values, none):
    """They travel as numbers or null: JSON has no infinity."""
    return [none if value is None else float(value) for value in values]


def model_of(request):
    columns, rows = request["columns"], request["rows"]
    lp = highspy.HighsLp()
    lp.num_col_ = len(columns["cost"])
    lp.num_row_ = len(rows["lower"])
    lp.col_cost_ = [float(cost) for cost in columns["cost"]]
    lp.col_lower_ = bounds(columns["lower"], -math.inf)
    lp.col_upper_ = bounds(columns["upper"], math.inf)
    lp.row_lower_ = bounds(rows["lower"], -math.inf)
    lp.row_upper_ = bounds(rows["upper"], math.inf)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = rows["start"]
    lp.a_matrix_.index_ = rows["column"]
    lp.a_matrix_.value_ = [float(factor) for factor in rows["factor"]]
    kinds = highspy.HighsVarType
    lp.integrality_ = [kinds.kInteger if integer else kinds.kContinuous for integer in columns["integer"]]
    return lp


def solve(request):
    highs = highspy.Highs()
    options = {
        "output_flag": False,
        "threads": 1,
        "parallel": "off",
        "random_seed": int(request["seed"]) % 2147483647,
        "time_limit": float(request["seconds"]),
        # An optimum is meant: costs are milliseconds, and some are far below a thousandth.
        "mip_rel_gap": 1e-7,
        "mip_abs_gap": 1e-12,
    }
    for name, value in options.items():
        highs.setOptionValue(name, value)
    if highs.passModel(model_of(request)) == highspy.HighsStatus.kError:
        raise ValueError("HiGHS does not take the model")
    if request["begin"]:
        begin = highspy.HighsSolution()
        begin.col_value = [float(value) for value in request["begin"]]
        highs.setSolution(begin)
    highs.run()
    status = highs.getModelStatus()
    info = highs.getInfo()
    ended = {highspy.HighsModelStatus.kOptimal: "optimal", highspy.HighsModelStatus.kTimeLimit: "out of time"}
    if status not in ended:
        raise ValueError("HiGHS ended with: " + highs.modelStatusToString(status))
    found = info.primal_solution_status == 2  # feasible
    return {
        "end": ended[status],
        "values": list(highs.getSolution().col_value) if found else [],
        "bound": info.mip_dual_bound if math.isfinite(info.mip_dual_bound) else 0.0,
        "seconds": highs.getRunTime(),
    }


def answer(line):
    request = json.loads(line)
    reply = {"id": request.get("id")}
    try:
        if request.get("op") != "solve":
            raise ValueError(f"unknown request {request.get('op')!r}")
        reply.update(ok=True, **solve(request))
    except Exception as error:  # whatever the solver raises about a model is an answer, not an end
        reply.update(ok=False, error=" ".join(f"{type(error).__name__}: {error}".split()))
    return reply


def main():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    version = highspy.Highs().version()
    if sys.argv[1:] == ["--version"]:
        print(f"pet-solver, protocol {PROTOCOL}, HiGHS {version}", file=PROTOCOL_OUT)
        return
    say({"hello": {"solver": "HiGHS", "version": version, "protocol": PROTOCOL}})
    lines = []
    arrived = threading.Condition()

    def listen():
        for line in sys.stdin:
            with arrived:
                lines.append(line)
                arrived.notify()
        os._exit(0)  # nobody listens any more, whatever the solver is at

    threading.Thread(target=listen, daemon=True).start()
    while True:
        with arrived:
            while not lines:
                arrived.wait()
            line = lines.pop(0)
        say(answer(line))


if __name__ == "__main__":
    main()
