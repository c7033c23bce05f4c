#!/bin/sh
# What pet-verify says of datasets/rewrites, and whether the tables there say the same: rewrites.sh PET_VERIFY FOLDER
set -u
program=$1
folder=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$program" --format json "$folder" >"$scratch/report.jsonl"
code=$?

awk -v code="$code" '
  function complain(what) { print "FAILED: " what; failed = 1 }
  function is_one_of(word, words) { return index(" " words " ", " " word " ") > 0 }

  FILENAME ~ /report.jsonl$/ {
    as_expected += /"as_expected":true/
    witnesses += /"witness":\{/
    next
  }
  FILENAME ~ /README.md$/ {
    count = split($0, cell, / *\| */)
    if (count == 8 && cell[4] ~ /#[0-9]+\*?$/) { ++rows; row[cell[2], "wrong"] = cell[6]; row[cell[2], "right"] = cell[7] }
    if (count == 5 && is_one_of(cell[3], "wrong right")) listed[cell[2], cell[3]] = 1
    next
  }
  FNR == 1 { parts = split(FILENAME, part, "/"); name = part[parts - 1]; kind = part[parts]; sub(/\.txt$/, "", kind) }
  FNR == 1 && kind == "wrong" { names[++pairs] = name }
  /^# expect: / { expected[name, kind] = $3 }
  /^original /, /^}/ { original[name, kind] = original[name, kind] $0 "\n" }

  END {
    may["wrong"] = "different partial shape-mismatch unknown"
    may["right"] = "equivalent equivalent-up-to-constants unknown"
    for (i = 1; i <= pairs; ++i) {
      name = names[i]
      if (original[name, "wrong"] != original[name, "right"]) complain(name ": two originals")
      for (kind in may) {
        is = expected[name, kind]
        if (!is_one_of(is, may[kind])) complain(name ": " kind " is " is)
        if (is != row[name, kind]) complain(name ": " kind " is " row[name, kind] " in the table of pairs")
        if ((is == "unknown") != ((name, kind) in listed)) complain(name ": not so in the table of what is unknown")
        unknown += is == "unknown"
        apart += is_one_of(is, "different partial")
      }
    }
    if (code != 0 || as_expected != 2 * pairs) complain("pet-verify ends with " code ", " as_expected " verdicts are as expected")
    if (witnesses != apart) complain(witnesses " witnesses for " apart " pairs")
    if (pairs < 40) complain(pairs " pairs")
    if (rows != pairs) complain(rows " rows for " pairs " pairs")
    if (unknown * 10 > pairs) complain(unknown " of " pairs " pairs are unknown")
    if (!failed) print pairs " pairs as expected, " unknown " unknown"
    exit failed
  }
' "$scratch/report.jsonl" "$folder/README.md" "$folder"/*/wrong.txt "$folder"/*/right.txt
