"""write_table.py PET_VERIFY [--told FOLDER] [RULES.json...]: what pet-verify says of every rule, as a table in Markdown
(verdicts.md). --told: it said so before, `rules RULES.json --seed 11 --format json` is FOLDER/RULES.jsonl."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

SEED = "11"  # of sizes and proofs, so that anybody gets this table
here = Path(__file__).resolve().parent
program, *files = sys.argv[1:]
told_before = None
if files[:1] == ["--told"]:
    told_before, files = Path(files[1]), files[2:]
files = [Path(f) for f in files] or sorted(f for f in here.glob("*.json") if not f.stem.endswith("_general"))

print("# What pet-verify says of every rule")
print()
print("Made by `write_table.py`. A conditional rule is right exactly where its condition holds, of the sizes at which both its")
print("sides are programs, which all of this is about; each verdict holds at all the")
print("sets of sizes that were tried, with an error below 2^-64. \"all\": it is proved at all sizes from 1 on, over the reals.")
for file in files:
    if told_before:
        told = (told_before / f"{file.stem}.jsonl").read_text()
    else:
        command = [program, "rules", str(file), "--seed", SEED, "--format", "json"]
        told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout
    rules = [json.loads(line) for line in told.splitlines()]
    counts = Counter(rule["verdict"] for rule in rules)
    everywhere = sum(rule.get("all_sizes", False) for rule in rules)
    print(f"\n## {file.stem}: " + ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())) + f", {everywhere} at all sizes")
    print("\n| rule | verdict | condition | sets of sizes: equal, not equal |\n|---|---|---|---|")
    for rule in rules:
        tried = Counter(shapes["verdict"] == "equivalent" for shapes in rule.get("shapes", []))
        condition = (rule.get("condition") or "").replace("|", "\\|")
        print(f"| {rule['name']} | {rule['verdict']} | {condition} | {tried[True]}, {tried[False]}{', all' if rule.get('all_sizes') else ''} |")
