#!/bin/sh
# All engines on all cases: engines.sh PROGRAM CASES [all]; without `all` on those that do not take long.
program=$1
cases=$2
which=$cases
[ -n "$3" ] || which="$cases/mutants $cases/ops $cases/adversarial $cases/written"
. "$(dirname "$0")/expect.sh"

# No two contradict each other, and each has something to say.
# shellcheck disable=SC2086  # folders
expect 0 --engine all --format json $which
for engine in bitmap exact region smt; do
  for verdict in equivalent:50 partial:25 different:30; do
    said=$(grep -o "{\"name\":\"$engine\",\"verdict\":\"${verdict%:*}\"" "$scratch/out" | wc -l)
    [ "$said" -ge "${verdict#*:}" ] || complain "$engine says ${verdict%:*} $said times only"
  done
done

# Without a solver its engine does not know, and the others answer.
mkdir "$scratch/empty"
PATH="$scratch/empty" "$program" --engine all "$cases/mutants/d3_pad_and_crop.txt" >"$scratch/out" 2>&1 || complain "no answer without a solver"
says 'equivalent' out
says 'smt unknown' out

finish
