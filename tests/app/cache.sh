#!/bin/sh
# Verdicts kept from one batch to the next: cache.sh PROGRAM CASES
program=$1
cases=$2
. "$(dirname "$0")/expect.sh"

# known FILE: lines with a verdict that is worth keeping, without what another run may measure differently
known() {
  grep -v -e '],"verdict":"unknown"' -e '"wrong_boxes":null' "$scratch/$1" | sed 's/,"timing":{[^}]*}//'
}

# cached COUNT FILE
cached() {
  [ "$(grep -c '"cached":true' "$scratch/$2")" -eq "$1" ] || complain "not $1 lines of $2 from the cache"
}

# The second time nothing is asked, and the same is told.
expect 0 --cache "$scratch/cache" --format json "$cases/mutants"
cp "$scratch/out" "$scratch/first"
cached 0 first
all=$(known first | wc -l)
[ "$all" -gt 20 ] || complain "only $all verdicts are worth keeping"
[ "$(wc -l <"$scratch/cache")" -eq "$all" ] || complain "not a line a verdict"
expect 0 --cache "$scratch/cache" --format json --jobs 3 "$cases/mutants"
cp "$scratch/out" "$scratch/second"
cached "$all" second
known first >"$scratch/a"
known second >"$scratch/b"
cmp -s "$scratch/a" "$scratch/b" || complain "the cache tells something else"
[ "$(wc -l <"$scratch/cache")" -eq "$all" ] || complain "what is known was kept again"
expect 0 --cache "$scratch/cache" "$cases/mutants"
says "; $all from the cache" out

# What is in it is as good as its seed: the proof can be repeated.
seed=$(sed -n '1s/.*"proof_seed":\([0-9]*\).*/\1/p' "$scratch/second")
expect 0 --seed "$seed" --cache "$scratch/cache" --format json "$cases/mutants"
cached 0 out
known out | sed 's/"reproduced":true/"reproduced":false/' >"$scratch/b"
cmp -s "$scratch/a" "$scratch/b" || complain "the seed of a kept verdict does not repeat it"
[ "$(wc -l <"$scratch/cache")" -eq "$all" ] || complain "a proof with a given seed was kept"

# A case that changes, and one that does not.
mkdir "$scratch/cases"
for case in figure_1 d3_pad_and_crop; do grep -v '^# expect' "$cases/mutants/$case.txt" >"$scratch/cases/$case.txt"; done
expect 1 --cache "$scratch/own" --format json "$scratch/cases"
expect 1 --cache "$scratch/own" --format json "$scratch/cases"
cached 2 out
sed -i 's/pads=\[1, 1, 1, 1\]/pads=[1, 1, 1, 1], dilations=[1, 1]/' "$scratch/cases/figure_1.txt"
expect 1 --cache "$scratch/own" --format json "$scratch/cases"
cached 1 out
expect 1 --cache "$scratch/own" --format json --limits steps=100000000000 "$scratch/cases"
cached 0 out
expect 1 --cache "$scratch/own" --format json --error 2^-80 "$scratch/cases"
cached 0 out
# An expectation is no part of what is kept.
{
  echo '# expect: different'
  cat "$scratch/cases/d3_pad_and_crop.txt"
} >"$scratch/expecting"
mv "$scratch/expecting" "$scratch/cases/d3_pad_and_crop.txt"
expect 1 --cache "$scratch/own" --format json "$scratch/cases"
cached 2 out
says '"deviation":"expected different' out

# Lines that are torn or altered are left out, and said.
cp "$scratch/cache" "$scratch/altered"
sed -i '2s/"equal":[0-9]*/"equal":1/; 3s/.*/nonsense/' "$scratch/altered"
expect 0 --cache "$scratch/altered" --format json "$cases/mutants"
cached $((all - 2)) out
says 'altered:2: ignored' err
says 'so are 1 more' err
expect 0 --cache "$scratch/altered" --format json "$cases/mutants"
cached "$all" out
head -c $(($(wc -c <"$scratch/cache") - 20)) "$scratch/cache" >"$scratch/torn"
expect 0 --cache "$scratch/torn" --format json "$cases/mutants"
cached $((all - 1)) out
expect 0 --cache "$scratch/torn" --format json "$cases/mutants"
cached "$all" out

# Two at once, and one that is killed: whole lines are left.
: >"$scratch/shared"
"$program" --cache "$scratch/shared" --jobs 2 "$cases/mutants" >/dev/null 2>&1 &
first=$!
"$program" --cache "$scratch/shared" --jobs 2 "$cases/mutants" >/dev/null 2>&1 &
second=$!
"$program" --cache "$scratch/shared" --jobs 2 "$cases/adversarial" >/dev/null 2>&1 &
third=$!
while [ "$(wc -l <"$scratch/shared")" -lt 3 ] && kill -0 $third 2>/dev/null; do sleep 0.01; done
kill -9 $third 2>/dev/null
wait $first || complain "two at once: the first one fails"
wait $second || complain "two at once: the second one fails"
wait $third 2>/dev/null
expect 0 --cache "$scratch/shared" --format json "$cases/mutants"
cached "$all" out

# A report that was begun with kept verdicts is gone on with.
expect 0 --cache "$scratch/cache" --report "$scratch/whole.jsonl" "$cases/mutants"
head -n 7 "$scratch/whole.jsonl" >"$scratch/begun.jsonl"
expect 0 --cache "$scratch/cache" --report "$scratch/begun.jsonl" --resume "$cases/mutants"
known whole.jsonl >"$scratch/a"
known begun.jsonl >"$scratch/b"
cmp -s "$scratch/a" "$scratch/b" || complain "not the same report"
refused 4 'of seed' --seed 1 --report "$scratch/begun.jsonl" --resume "$cases/mutants"
# The seed of a report is given: nothing that it proves is kept.
expect 0 --report "$scratch/plain.jsonl" "$cases/mutants"
head -n 7 "$scratch/plain.jsonl" >"$scratch/begun.jsonl"
expect 0 --cache "$scratch/none" --report "$scratch/begun.jsonl" --resume "$cases/mutants"
[ ! -s "$scratch/none" ] || complain "the seed of a report was taken for a fresh one"

refused 2 'of a batch' --cache "$scratch/cache" "$scratch/cases/figure_1.txt"
refused 2 'two files' --cache "$scratch/x" --report "$scratch/x" "$cases/mutants"
refused 2 'no folder' --cache "$scratch/nowhere/cache" "$cases/mutants"

finish
