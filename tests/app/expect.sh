# What the scripts of this folder share. They set `program` and source this.
failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

complain() {
  echo "FAILED: $*"
  failed=1
}

# expect CODE ARGUMENTS...: leaves the output in $scratch/out and $scratch/err
expect() {
  code=$1
  shift
  "$program" "$@" >"$scratch/out" 2>"$scratch/err"
  got=$?
  if [ "$got" -ne "$code" ]; then
    complain "${program##*/} $* gave $got instead of $code"
    head -c 2000 "$scratch/out" "$scratch/err"
  fi
}

# says TEXT FILE
says() {
  if ! grep -q -- "$1" "$scratch/$2"; then
    complain "no '$1' in $2:"
    head -c 2000 "$scratch/$2"
  fi
}

# refused CODE TEXT ARGUMENTS...: one line on stderr that starts with the program's name and holds TEXT
refused() {
  wanted=$2
  code=$1
  shift 2
  expect "$code" "$@"
  says "$wanted" err
  if [ "$(wc -l <"$scratch/err")" -ne 1 ] || ! grep -q "^${program##*/}: " "$scratch/err"; then
    complain "${program##*/} $* says not one line on stderr:"
    cat "$scratch/err"
  fi
}

finish() {
  [ "$failed" -eq 0 ] && echo "all as expected"
  exit "$failed"
}
