#!/bin/sh
# pet-verify --sizes and --all-sizes: sizes.sh PROGRAM
program=$1
. "$(dirname "$0")/expect.sh"

# case_of MUTANT: a product of a sum, and the same in another way
case_of() {
  cat <<TEXT
original (float[N, K] X, float[N, K] Y, float[K, M] W, float[M] B) => (float[N, M] Z) {
  s = Add (X, Y)
  p = MatMul (s, W)
  q = Add (p, B)
  Z = Relu (q)
}
mutant (float[N, K] X, float[N, K] Y, float[K, M] W, float[M] B) => (float[N, M] Z) {
  a = MatMul (X, W)
  b = MatMul ($1, W)
  c = Add (a, b)
  q = Add (c, B)
  Z = Relu (q)
}
TEXT
}
case_of Y >"$scratch/right.txt"
case_of X >"$scratch/wrong.txt"

# The same up to a size of 6 only.
cat >"$scratch/small.txt" <<TEXT
original (float[N] X) => (float[N] Z) {
  Z = Identity (X)
}
mutant (float[N] X) => (float[N] Z)
<int64[1] zero = {0}, int64[1] six = {6}, int64[1] many = {1000000}>
{
  a = Slice (X, zero, six)
  b = Slice (X, six, many)
  c = Mul (b, b)
  Z = Concat <axis = 0> (a, c)
}
TEXT

# The same up to a size of 40 only: a Slice that is read as nothing at every smaller one.
sed 's/six = {6}/six = {40}/' "$scratch/small.txt" >"$scratch/large.txt"

at='--shape N=2 --shape K=3 --shape M=4'
expect 2 "$scratch/right.txt"
says 'leaves sizes open' err
# shellcheck disable=SC2086  # meant to be split
{
  expect 0 $at "$scratch/right.txt"
  says 'at N = 2 only' out
  expect 0 $at --all-sizes "$scratch/right.txt"
  says 'at all sizes from 1 on' out
  expect 0 $at --all-sizes --format json "$scratch/right.txt"
  says '"all_sizes": true' out
  expect 1 $at --all-sizes "$scratch/wrong.txt"
}
expect 0 --shape N=6 "$scratch/small.txt"
expect 3 --shape N=6 --all-sizes "$scratch/small.txt"
says 'equal at these sizes, but not proved at all' out

expect 0 --shape N=5 "$scratch/large.txt"
expect 3 --shape N=5 --all-sizes "$scratch/large.txt"
says 'what Concat is read as may be another one at other sizes\|what Slice' out

expect 1 --sizes N=5..7 "$scratch/small.txt"
says 'small.txt N=6: equivalent' out
says 'small.txt N=7: partial' out
expect 0 --sizes N=1..3 --sizes K=2 --sizes M=1..2 "$scratch/right.txt"
says 'right.txt N=3 K=2 M=2: equivalent' out
expect 0 --sizes N=1..2 --shape K=2 --shape M=3 --all-sizes "$scratch/right.txt"
expect 2 --sizes N=1..3 --sizes K=2 "$scratch/right.txt"
says 'leaves sizes open' out
for wrong in N N=3..2 N=x =3 N=1..99999999 'N=0..1'; do
  expect 2 --sizes "$wrong" "$scratch/right.txt"
done
expect 2 --sizes N=1..1000000 "$scratch/right.txt"
says 'more than 100000 pairs' err
finish
