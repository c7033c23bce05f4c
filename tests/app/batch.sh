#!/bin/sh
# Batches of pet-verify: batch.sh PROGRAM CASES
program=$1
cases=$2
. "$(dirname "$0")/expect.sh"

# The report without what another run may measure differently.
timeless() {
  sed 's/,"timing":{[^}]*}//' "$1"
}

same() {
  timeless "$1" >"$scratch/same.a"
  timeless "$2" >"$scratch/same.b"
  cmp -s "$scratch/same.a" "$scratch/same.b" || complain "$3: not the same report"
}

names() {
  sed 's/^{"name":"\([^"]*\)".*/\1/' "$1"
}

# A folder, in order of names, whatever the number of jobs.
expect 0 --seed 7 --jobs 1 --format json "$cases/mutants"
cp "$scratch/out" "$scratch/one.jsonl"
[ "$(wc -l <"$scratch/one.jsonl")" -eq "$(find "$cases/mutants" -name '*.txt' | wc -l)" ] || complain "not one line a case"
names "$scratch/one.jsonl" >"$scratch/all"
sort -c "$scratch/all" || complain "not in order"
expect 0 --seed 7 --jobs 4 --format json "$cases/mutants"
same "$scratch/one.jsonl" "$scratch/out" "four jobs"
says '"reproduced":true' out
says '"as_expected":true' out

# Parts, which together are all.
for part in 1 2 3; do
  expect 0 --shard $part/3 --format json "$cases/mutants"
  names "$scratch/out" >>"$scratch/unsorted"
done
sort "$scratch/unsorted" >"$scratch/parts"
cmp -s "$scratch/all" "$scratch/parts" || complain "the parts are not the whole"
refused 2 shard --shard 0/3 "$cases/mutants"
refused 2 shard --shard 4/3 "$cases/mutants"

# A report that is cut anywhere is finished as if nothing had happened; the seed is its own.
expect 0 --report "$scratch/whole.jsonl" "$cases/mutants"
says 'equal or as expected' out
size=$(wc -c <"$scratch/whole.jsonl")
for tenth in 1 4 7 9; do
  head -c $((size * tenth / 10 + tenth)) "$scratch/whole.jsonl" >"$scratch/cut.jsonl"
  expect 0 --report "$scratch/cut.jsonl" --resume "$cases/mutants"
  same "$scratch/whole.jsonl" "$scratch/cut.jsonl" "cut at $tenth tenths"
done
expect 0 --report "$scratch/cut.jsonl" --resume "$cases/mutants"
same "$scratch/whole.jsonl" "$scratch/cut.jsonl" "nothing left"
refused 4 'another batch' --report "$scratch/cut.jsonl" --resume "$cases/ops"
refused 4 'of seed' --seed 1 --report "$scratch/cut.jsonl" --resume "$cases/mutants"
echo '{"name":"x"}' >"$scratch/foreign.jsonl"
refused 4 'no object' --report "$scratch/foreign.jsonl" --resume "$cases/mutants"
refused 2 resume --resume "$cases/mutants"

# What took too long is no answer for somebody with more time.
expect 0 --report "$scratch/timed.jsonl" --timeout 90s "$cases/mutants"
refused 4 'other files, options or expectations' --report "$scratch/timed.jsonl" --resume --timeout 91s "$cases/mutants"
refused 4 'other files, options or expectations' --report "$scratch/timed.jsonl" --resume --timeout 90s --bitmap "$cases/mutants"

# A report takes the place of nothing but a report.
cp "$cases/mutants/figure_1.txt" "$scratch/mine.txt"
cp "$cases/mutants/d3_pad_and_crop.txt" "$scratch/yours.txt"
printf '{"case":"mine.txt"}\n' >"$scratch/mine.jsonl"
printf 'weights' >"$scratch/weights.bin"
ln -s mine.txt "$scratch/link.jsonl"
for target in mine.txt mine.jsonl weights.bin link.jsonl; do
  cp "$scratch/$target" "$scratch/before"
  refused 2 "$target is no report" --report "$scratch/$target" "$scratch/mine.txt" "$scratch/yours.txt"
  refused 2 "$target is no report" --report "$scratch/$target" --resume "$scratch/mine.jsonl"
  cmp -s "$scratch/before" "$scratch/$target" || complain "$target was written over"
done
printf '{"name":"one","case":"mine.txt"}\n' >"$scratch/named.jsonl"
cp "$scratch/named.jsonl" "$scratch/before"
refused 2 'named.jsonl is no report' --report "$scratch/named.jsonl" "$scratch/named.jsonl"
cmp -s "$scratch/before" "$scratch/named.jsonl" || complain "a manifest was written over"
expect 0 --report "$scratch/timed.jsonl" "$scratch/mine.jsonl"
: >"$scratch/empty.jsonl"
expect 0 --report "$scratch/empty.jsonl" "$scratch/mine.jsonl"

# A pair that cannot be held in memory is one line of the report like any other.
cat >"$scratch/large.txt" <<'TEXT'
original (float[1, 512, 96, 96] X) => (float[1, 512, 96, 96] Y) {
  Y = Relu (X)
}
mutant (float[1, 512, 96, 96] X) => (float[1, 512, 96, 96] Y) {
  twice = Add (X, X)
  Y = Relu (twice)
}
TEXT
(
  ulimit -v 300000
  expect 3 --threads 1 --jobs 1 --report "$scratch/memory.jsonl" "$scratch/mine.txt" "$scratch/large.txt" "$scratch/yours.txt"
  exit "$failed"
) || failed=1
[ "$(wc -l <"$scratch/memory.jsonl")" -eq 3 ] || complain "not one line a pair, although one was too large"
[ "$(grep -c '"reason":"out of memory"' "$scratch/memory.jsonl")" -eq 1 ] || complain "no line says that memory ran out"

# Where nothing was kept of a shard, where one expectation hides another, where one stands twice.
expect 0 --shard 2/2 "$scratch/mine.jsonl"
says '^0 of 0 equal or as expected; proof_seed' out
{ echo '# expect: partial'; cat "$scratch/mine.txt"; } >"$scratch/twice.txt"
refused 4 'stands there twice' "$scratch/twice.txt"
{ grep -v '^# expect' "$scratch/mine.txt"; echo '# expect: partial'; } >"$scratch/behind.txt"
refused 4 'before the first program' "$scratch/behind.txt"
printf '{"case":"mine.txt","shape":{"N":2,"N":3}}\n' >"$scratch/sizes.jsonl"
refused 4 'stands there twice' "$scratch/sizes.jsonl"
refused 2 'of a batch' --shard 1/2 "$scratch/mine.txt"

# Killed wherever it is; once more where it was done before the signal came.
written() {
  wc -l <"$scratch/killed.jsonl"
}
for try in 1 2 3 4 5; do
  : >"$scratch/killed.jsonl"
  "$program" --jobs 2 --report "$scratch/killed.jsonl" "$cases/adversarial" >/dev/null 2>&1 &
  while [ "$(written)" -eq 0 ] && kill -0 $! 2>/dev/null; do sleep 0.01; done
  kill -9 $! 2>/dev/null
  wait $! 2>/dev/null
  [ "$(written)" -lt "$(find "$cases/adversarial" -name '*.txt' | wc -l)" ] && break
  [ "$try" -lt 5 ] || complain "killed too late every time"
done
expect 0 --report "$scratch/killed.jsonl" --resume "$cases/adversarial"
seed=$(sed -n '1s/.*"proof_seed":\([0-9]*\).*/\1/p' "$scratch/killed.jsonl")
expect 0 --seed "$seed" --report "$scratch/whole.jsonl" "$cases/adversarial"
sed 's/"reproduced":true/"reproduced":false/' "$scratch/whole.jsonl" >"$scratch/fresh.jsonl"
same "$scratch/fresh.jsonl" "$scratch/killed.jsonl" "killed"

# A manifest: paths from where it lies, expectations of its own.
mkdir "$scratch/lists"
grep -v '^# expect' "$cases/mutants/figure_1.txt" >"$scratch/lists/figure.txt"
grep -v '^# expect' "$cases/mutants/d3_pad_and_crop.txt" >"$scratch/lists/pad.txt"
cat >"$scratch/lists/good.jsonl" <<'LINES'
{"case": "figure.txt", "expect": "partial"}
{"name": "padded", "case": "pad.txt", "expect": "equivalent"}

{"name": "again", "case": "pad.txt"}
LINES
expect 0 "$scratch/lists/good.jsonl"
says '^ok *padded: equivalent' out
says '3 of 3' out
says 'figure.txt: partial: .* of the output' out
expect 0 --quiet "$scratch/lists/good.jsonl"
[ "$(wc -l <"$scratch/out")" -eq 1 ] || complain "--quiet is not"
echo '{"name": "wrong", "case": "pad.txt", "expect": "different"}' >>"$scratch/lists/good.jsonl"
expect 1 "$scratch/lists/good.jsonl"
says 'NOT OK wrong: equivalent: expected different' out
expect 1 --format junit "$scratch/lists/good.jsonl"
says '<testsuite name="pet-verify" tests="4" failures="1" errors="0"' out
says '<failure message="equivalent: expected different' out
says '<property name="proof_seed" value="[0-9]*"/>' out

# The worst of all: what is not equal before what cannot be read before what is not known.
cp "$cases/adversarial/relu_twice.txt" "$scratch/lists/unknown.txt"
echo 'nothing' >"$scratch/lists/empty.txt"
sed -i '/^# expect/d' "$scratch/lists/unknown.txt"
expect 3 "$scratch/lists/unknown.txt" "$scratch/lists/pad.txt"
expect 4 "$scratch/lists/unknown.txt" "$scratch/lists/empty.txt" "$scratch/lists/pad.txt"
expect 1 "$scratch/lists"

# A report is of these files, options and expectations, and of no others.
mkdir "$scratch/changing"
cp "$scratch/lists/pad.txt" "$scratch/changing/pair.txt"
echo '{"name": "pair", "case": "pair.txt"}' >"$scratch/changing/list.jsonl"
expect 0 --report "$scratch/begun.jsonl" "$scratch/changing/list.jsonl"
expect 0 --report "$scratch/begun.jsonl" --resume "$scratch/changing/list.jsonl"
refused 4 'other files, options' --error 2^-200 --report "$scratch/begun.jsonl" --resume "$scratch/changing/list.jsonl"
refused 4 'other files, options' --engine exact --report "$scratch/begun.jsonl" --resume "$scratch/changing/list.jsonl"
echo '{"name": "pair", "case": "pair.txt", "expect": "different"}' >"$scratch/changing/list.jsonl"
refused 4 'other files, options' --report "$scratch/begun.jsonl" --resume "$scratch/changing/list.jsonl"
echo '{"name": "pair", "case": "pair.txt"}' >"$scratch/changing/list.jsonl"
cp "$scratch/lists/figure.txt" "$scratch/changing/pair.txt"
refused 4 'other files, options' --report "$scratch/begun.jsonl" --resume "$scratch/changing/list.jsonl"

# What is not there is not malformed.
echo '{"a": "nothere.onnx", "b": "nothere.onnx", "expect": "malformed"}' >"$scratch/lists/gone.jsonl"
expect 4 "$scratch/lists/gone.jsonl"
rm "$scratch/lists/gone.jsonl"

# What nobody can read, or lies where nothing is, is not passed over.
mkdir "$scratch/odd"
cp "$scratch/lists/pad.txt" "$scratch/odd/a.txt"
cp "$scratch/lists/pad.txt" "$scratch/odd/B.TXT"
expect 0 "$scratch/odd"
says '^2 of 2' out
ln -s gone.txt "$scratch/odd/c.txt"
ln -s d.txt "$scratch/odd/d.txt"
expect 4 "$scratch/odd"
says 'NOT OK .*odd/c.txt: malformed: cannot read' out
says '^2 of 4' out
printf '{"case": "eq.txt\\u0000.txt"}\n' >"$scratch/lists/zero.jsonl"
refused 4 'holds a zero' "$scratch/lists/zero.jsonl"
rm "$scratch/lists/zero.jsonl"
mkfifo "$scratch/pipe.jsonl"
refused 4 'cannot be read' "$scratch/pipe.jsonl"
echo '{"case": "odd", "expect": "malformed"}' >"$scratch/folder.jsonl"
expect 4 "$scratch/folder.jsonl"

# What looks like an expectation is one, or is refused.
for line in '  # expect: different' '# Expect : different' '#expect:different' '# - expect: different'; do
  { echo "$line"; cat "$scratch/lists/pad.txt"; } >"$scratch/expecting.txt"
  expect 1 "$scratch/expecting.txt"
  says 'NOT AS EXPECTED: expected different' out
done
printf '# a case\r# expect: different\r\n' | cat - "$scratch/lists/pad.txt" >"$scratch/expecting.txt"
expect 1 "$scratch/expecting.txt"
for line in '# expected: different' '# expect different'; do
  { echo "$line"; cat "$scratch/lists/pad.txt"; } >"$scratch/expecting.txt"
  refused 4 'expects nothing' "$scratch/expecting.txt"
done
{ echo '# expect: unknown'; cat "$scratch/lists/figure.txt"; } >"$scratch/expecting.txt"
expect 3 --timeout 0.000001s "$scratch/expecting.txt"
says 'NOT AS EXPECTED: no answer within' out

# A cache, a report and a certificate take the place of nothing else; a report has one writer.
for target in mine.txt weights.bin mine.jsonl; do
  cp "$scratch/$target" "$scratch/before"
  refused 2 "$target is no cache" --cache "$scratch/$target" "$scratch/lists/good.jsonl"
  cmp -s "$scratch/before" "$scratch/$target" || complain "$target was appended to"
done
printf '{"name":"one","case":"mine.txt"}' >"$scratch/named.jsonl"
refused 2 'named.jsonl is no report' --report "$scratch/named.jsonl" "$scratch/named.jsonl"
printf '{"name":"one","tool":"pet-ver' >"$scratch/torn.jsonl"
expect 0 --report "$scratch/torn.jsonl" "$scratch/mine.jsonl"
(
  flock -n 9 || exit 1
  refused 2 'another process writes' --report "$scratch/torn.jsonl" --resume "$scratch/mine.jsonl" 9>&-
  exit "$failed"
) 9>>"$scratch/torn.jsonl" || failed=1
: >"$scratch/certified.original.onnx"
refused 2 'certified.original.onnx would be written over' --certificate "$scratch/certified.json" "$scratch/lists/pad.txt"
rm "$scratch/certified.original.onnx"
expect 0 --certificate "$scratch/certified.json" "$scratch/lists/pad.txt"
expect 0 --certificate "$scratch/certified.json" "$scratch/lists/pad.txt"
expect 1 --certificate "$scratch/certified.json" "$scratch/lists/figure.txt"
[ ! -e "$scratch/certified.json" ] || complain "a certificate of other programs is left"


for bad in '[1]' '{' '{"case": "pad.txt", "a": "x.onnx"}' '{"a": "x.onnx"}' '{}' '{"case": 3}' \
  '{"case": "pad.txt", "expect": "maybe"}' '{"case": "pad.txt", "colour": "red"}' '{"case": "pad.txt", "shape": {"n": -1}}' '{"case": "pad.txt", "shape": {"n": 0}}' \
  '{"case": "pad.txt", "shape": [1]}' '{"case": "pad.txt", "outputs": "somehow"}' '{"case": "pad.txt", "expect": "different", "expect": "equivalent"}'; do
  printf '{"name": "first", "case": "pad.txt"}\n%s\n' "$bad" >"$scratch/lists/bad.jsonl"
  refused 4 'lists/bad.jsonl:2' "$scratch/lists/bad.jsonl"
done
printf '{"case": "pad.txt"}\n{"case": "pad.txt"}\n' >"$scratch/lists/bad.jsonl"
refused 4 'bad.jsonl:2: another pair is called .*bad.jsonl:1' "$scratch/lists/bad.jsonl"
: >"$scratch/lists/bad.jsonl"
refused 4 'lists nothing' "$scratch/lists/bad.jsonl"
mkdir "$scratch/none"
refused 4 'no case' "$scratch/none"
refused 2 'one pair' --witness "$scratch/w.json" "$scratch/lists"
refused 2 'of a batch' --report "$scratch/w.json" "$scratch/lists/pad.txt"

# One pair: what is written beside the report.
expect 1 --regions "$scratch/r.json" --witness "$scratch/w.json" --bitmap --format json --engine region "$scratch/lists/figure.txt"
says '"wrong_boxes": \[' r.json
says '"values": \[' w.json
says '"equal_bitmap": "1*0' out
says '"name": "region"' out
says '"name": "bitmap"' out
refused 2 'written over' --witness "$scratch/lists/pad.txt" "$scratch/lists/pad.txt"
refused 2 engine --engine oracle "$scratch/lists/pad.txt"
expect 0 --engine all "$scratch/lists/pad.txt"
says 'engines: bitmap equivalent, exact equivalent, region equivalent' out

finish
