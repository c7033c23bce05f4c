#!/bin/sh
# What pet-verify says of datasets/rewrites, and whether the tables there say the same: rewrites.sh PET_VERIFY FOLDER
set -u
program=$1
folder=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

complain() {
  echo "FAILED: $*"
  failed=1
}

original_of() {
  sed -n '/^original /,/^}/p' "$1"
}

expected_of() {
  sed -n 's/^# expect: \([a-z-]*\).*/\1/p' "$1"
}

# Every verdict is the one that stands beside its pair.
"$program" --format json "$folder" >"$scratch/report.jsonl" || complain "pet-verify ended with $?"
pairs=$(find "$folder" -mindepth 1 -maxdepth 1 -type d | wc -l)
[ "$(grep -c '"as_expected":true' "$scratch/report.jsonl")" -eq $((2 * pairs)) ] || complain "not every verdict is as expected"
[ "$pairs" -ge 40 ] || complain "$pairs pairs"

# What is told apart is told apart by inputs.
apart=$(grep -lE '^# expect: (different|partial)' "$folder"/*/wrong.txt | wc -l)
[ "$(grep -c '"witness":{' "$scratch/report.jsonl")" -eq "$apart" ] || complain "not $apart witnesses"

# One model, two rewrites; the wrong one is never called equal, the right one never wrong. The table has a row of each.
unknown=0
for pair in "$folder"/*/; do
  name=$(basename "$pair")
  original_of "$pair/wrong.txt" >"$scratch/wrong"
  original_of "$pair/right.txt" >"$scratch/right"
  cmp -s "$scratch/wrong" "$scratch/right" || complain "$name: two originals"
  wrong=$(expected_of "$pair/wrong.txt")
  right=$(expected_of "$pair/right.txt")
  case $wrong in different | partial | shape-mismatch) ;; unknown) unknown=$((unknown + 1)) ;; *) complain "$name: wrong is $wrong" ;; esac
  case $right in equivalent | equivalent-up-to-constants) ;; unknown) unknown=$((unknown + 1)) ;; *) complain "$name: right is $right" ;; esac
  grep -q "^| $name | .* | $wrong | $right |\$" "$folder/README.md" || complain "$name: not so in the table of pairs"
  for kind in wrong right; do
    grep -q "^| $name | $kind | " "$folder/README.md" && listed=unknown || listed=
    [ "$(expected_of "$pair/$kind.txt" | grep -x unknown)" = "$listed" ] || complain "$name: not so in the table of what is unknown"
  done
done
[ "$(grep -c '^| [a-z_0-9]* | .*#[0-9]' "$folder/README.md")" -eq "$pairs" ] || complain "rows without a pair"
[ $((unknown * 10)) -le "$pairs" ] || complain "$unknown of $pairs pairs are unknown"

[ "$failed" -eq 0 ] && echo "$pairs pairs as expected, $unknown unknown"
exit "$failed"
