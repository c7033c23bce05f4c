#!/bin/sh
# pet explain as a person uses it: explain_cli.sh PROGRAM DATA PYTHON
program=$1
data=$2
python=$3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
cd "$scratch" || exit 1

expect 0 explain "$data/explain_report.json"
says '^1. Conv, at 2 places' out
says 'places together, against their sum' out
refused 2 file explain
refused 4 'No such file' explain nosuch.json
refused 4 'neither a report nor a journal' explain "$here/explain_cli.sh"
cp "$data/explain_report.json" report.json
refused 2 overwritten explain report.json --html report.json
refused 2 'no folder' explain report.json --html nowhere/page.html

# well_formed FILE: every element is closed by its own end
well_formed() {
  "$python" - "$1" <<'PYTHON' || complain "$1 is not well formed"
import sys
from html.parser import HTMLParser

class Checker(HTMLParser):
    void = {"meta", "br", "img", "link"}
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.seen = [], set(), set()
    def note(self, tag, attrs):
        self.seen.add(tag)
        for name, value in attrs:
            assert not name.startswith("on") and "javascript:" not in (value or ""), (tag, name, value)
            if name == "id":
                assert value not in self.ids, f"{value} twice"
                self.ids.add(value)
    def handle_starttag(self, tag, attrs):
        self.note(tag, attrs)
        if tag not in self.void:
            self.open.append(tag)
    def handle_startendtag(self, tag, attrs):
        self.note(tag, attrs)
    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, (tag, self.getpos())

checker = Checker()
checker.feed(open(sys.argv[1], encoding="utf-8").read())
checker.close()
assert not checker.open, checker.open
assert not checker.seen & {"script", "img", "iframe", "link", "a"}, checker.seen
PYTHON
}

expect 0 explain report.json --html page.html
well_formed page.html
if command -v dot >/dev/null; then
  grep -q 'class="node product new"' page.html || complain "the graphs do not mark what is new"
fi

# A model's names are the text of whoever made it.
"$python" - <<'PYTHON'
import json
evil = "</title><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&lt;b&gt;\\\" URL=\"javascript:x\" \\N"
def poison(x):
    if isinstance(x, dict): return {k: poison(v) for k, v in x.items()}
    if isinstance(x, list): return [poison(v) for v in x]
    return evil if isinstance(x, str) else x
json.dump(poison(json.load(open("report.json"))), open("evil.json", "w"))
PYTHON
expect 0 explain evil.json --html evil.html
well_formed evil.html

# Without Graphviz the graphs are text, and the page says so.
mkdir empty
PATH_BEFORE=$PATH
PATH=$scratch/empty "$program" explain report.json --html plain.html >out 2>err || complain "fails without Graphviz"
PATH=$PATH_BEFORE
grep -q 'graphviz has what is needed' plain.html || complain "the page does not say that Graphviz is missing"
grep -q 'class="mark">+ %14' plain.html || complain "the graphs are not there as text"
well_formed plain.html
finish
