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

# What is read by extents that are the same at all sizes: a cut of the channels, windows and pads of a given size, batches of
# any size. And what is read by others: pieces of an axis that is open, sizes that the file computes.
cat >"$scratch/layers.txt" <<TEXT
original (float[N, 4, H, 5] X, float[2, 4, 3, 3] W, float[2, 4, 3, 3] V) => (float[M, 4, L, 3] Z) {
  a = Conv <pads = [1, 0, 1, 0]> (X, W)
  b = Conv <pads = [1, 0, 1, 0]> (X, V)
  Z = Concat <axis = 1> (a, b)
}
mutant (float[N, 4, H, 5] X, float[2, 4, 3, 3] W, float[2, 4, 3, 3] V) => (float[M, 4, L, 3] Z)
<int64[8] pads = {0, 0, 1, 0, 0, 0, 1, 0}, int64[1] zero = {0}, int64[1] two = {2}, int64[1] four = {4}, int64[1] channels = {1}>
{
  U = Concat <axis = 0> (W, V)
  P = Pad (X, pads)
  c = Conv (P, U)
  d = Slice (c, zero, two, channels)
  e = Slice (c, two, four, channels)
  t = Transpose <perm = [1, 0, 2, 3]> (d)
  u = Transpose <perm = [1, 0, 2, 3]> (e)
  f = Concat <axis = 0> (t, u)
  Z = Einsum <equation = "cn...->nc..."> (f)
}
TEXT
expect 0 --shape N=2 --shape H=4 --all-sizes "$scratch/layers.txt"
says 'at all sizes from 1 on' out
sed 's/pads = {0, 0, 1,/pads = {0, 0, 2,/; s/0, 0, 1, 0}, int64\[1\] zero/0, 0, 0, 0}, int64[1] zero/' "$scratch/layers.txt" >"$scratch/shifted.txt"
expect 1 --shape N=2 --shape H=4 --all-sizes "$scratch/shifted.txt"
sed 's/H, 5\]/H, W]/g; s/L, 3\]/L, K]/g; s/<pads = \[1, 0, 1, 0\]>/<auto_pad = "SAME_UPPER">/g; s/1, 0, 0, 0, 1, 0}/1, 1, 0, 0, 1, 1}/' "$scratch/layers.txt" >"$scratch/same.txt"
expect 3 --shape N=2 --shape H=4 --shape W=5 --all-sizes "$scratch/same.txt"
says 'what Conv is read as may be another one' out
cat >"$scratch/pools.txt" <<TEXT
original (float[N, C, 4, 5] X, float[M, C, 4, 5] Y) => (float[K, C, L, O] Z) {
  a = Concat <axis = 0> (X, Y)
  Z = AveragePool <kernel_shape = [2, 3]> (a)
}
mutant (float[N, C, 4, 5] X, float[M, C, 4, 5] Y) => (float[K, C, L, O] Z) {
  a = AveragePool <kernel_shape = [2, 3]> (X)
  b = AveragePool <kernel_shape = [2, 3]> (Y)
  Z = Concat <axis = 0> (a, b)
}
TEXT
pools='--shape N=1 --shape M=2 --shape C=3'
# shellcheck disable=SC2086
{
  expect 0 $pools --all-sizes "$scratch/pools.txt"
  sed 's/pe = \[2, 3\]>/pe = [2, 3], pads = [0, 1, 0, 1]>/' "$scratch/pools.txt" >"$scratch/padded.txt"
  expect 3 $pools --all-sizes "$scratch/padded.txt"
  says 'the meaning of AveragePool.* is not affine in sizes' out
  # One that is no program at some sizes is not equal at all of them.
  sed 's/C, 4, 5\]/C, H, W]/g' "$scratch/pools.txt" >"$scratch/small_images.txt"
  expect 3 $pools --shape H=4 --shape W=5 --all-sizes "$scratch/small_images.txt"
  says 'the window is larger' out
}
# A batch is so many images, whatever is done with each of them: windows with strides, sizes that the file computes.
cat >"$scratch/batch.txt" <<TEXT
original (float[batch, 3, 9, 9] X, float[4, 3, 3, 3] W, float[16, 5] V) => (float[batch, 5] Z)
<int64[2] flat = {0, -1}>
{
  c = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (X, W)
  r = Relu (c)
  p = AveragePool <kernel_shape = [3, 3], strides = [2, 2]> (r)
  f = Reshape (p, flat)
  Z = MatMul (f, V)
}
mutant (float[batch, 3, 9, 9] X, float[4, 3, 3, 3] W, float[16, 5] V) => (float[batch, 5] Z)
<int64[1] zero = {0}, int64[1] sixteen = {16}, int64[1] two = {2}, int64[1] half = {8}>
{
  c = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (X, W)
  r = Relu (c)
  p = AveragePool <kernel_shape = [3, 3], strides = [2, 2]> (r)
  all = Shape (X)
  n = Gather (all, zero)
  m = Mul (n, two)
  to = Concat <axis = 0> (m, half)
  h = Reshape (p, to)
  back = Concat <axis = 0> (n, sixteen)
  f = Reshape (h, back)
  Z = MatMul (f, V)
}
TEXT
expect 0 --batch 3 "$scratch/batch.txt"
says 'at batch = 3 only' out
expect 0 --batch 3 --all-batches "$scratch/batch.txt"
says 'at all sizes from 1 on' out
expect 0 --batch 3 --all-sizes "$scratch/batch.txt"
says 'at all sizes from 1 on' out
# Of everything else the size stays what it is.
sed 's/3, 9, 9\]/3, 9, width]/g' "$scratch/batch.txt" >"$scratch/width.txt"
expect 0 --batch 3 --shape width=9 --all-batches "$scratch/width.txt"
says 'at every batch from 1 on' out
says 'at width = 9 only' out
expect 0 --shape X=3,3,9,9 --all-batches --format json "$scratch/width.txt"
says '"for_every": \["batch"\]' out
# Equal for some batches only: the mean over a batch of 1; what a file reads in another way from 40 on.
cat >"$scratch/mean.txt" <<TEXT
original (float[batch, 4] X) => (float[batch, 4] Z) { Z = Relu (X) }
mutant (float[batch, 4] X) => (float[batch, 4] Z) {
  r = Relu (X)
  m = ReduceMean <axes = [0], keepdims = 1> (r)
  d = Sub (m, m)
  Z = Add (r, d)
}
TEXT
expect 0 --batch 1 "$scratch/mean.txt"
expect 3 --batch 1 --all-batches "$scratch/mean.txt"
says 'the second program: ReduceMean: a sum has another number of addends at other sizes' out
sed 's/\bN\b/batch/g; s/\bM\b/batch2/g' "$scratch/large.txt" >"$scratch/forty.txt"
expect 3 --shape batch=5 --all-batches "$scratch/forty.txt"
says 'not proved at all' out
cat >"$scratch/div.txt" <<TEXT
original (float[batch, 4] X) => (float[batch, 4] Z) { Z = Relu (X) }
mutant (float[batch, 4] X) => (float[batch, 4] Z)
<int64[1] zero = {0}, int64[1] hundred = {100}, int64[1] four = {4}>
{
  all = Shape (X)
  n = Gather (all, zero)
  q = Div (n, hundred)
  m = Add (n, q)
  to = Concat <axis = 0> (m, four)
  r = Reshape (X, to)
  Z = Relu (r)
}
TEXT
expect 0 --batch 2 "$scratch/div.txt"
expect 3 --batch 2 --all-batches "$scratch/div.txt"
says 'may be read as something else at other sizes' out

# An extent that follows the batch in another way, and that nothing but a Shape reads: 1 up to a batch of 250, then 2.
cat >"$scratch/measured.txt" <<TEXT
original (float[batch, 4] X) => (float[batch, 4] Z) { Z = Relu (X) }
mutant (float[batch, 4] X) => (float[batch, 4] Z)
<int64[3] row = {1, 1, -1}, int64[1] two = {2}, int64[1] rest = {-1}, int64[2] back = {-1, 4}, int64[1] axis = {0}>
{
  r = Relu (X)
  flat = Reshape (X, row)
  far = MaxPool <kernel_shape = [1], strides = [1000]> (flat)
  all = Shape (far)
  k = Gather (all, two)
  to = Concat <axis = 0> (k, rest)
  v = Reshape (r, to)
  m = ReduceSum <keepdims = 1> (v, axis)
  d = Sub (m, v)
  z = Add (v, d)
  Z = Reshape (z, back)
}
TEXT
expect 1 --batch 300 "$scratch/measured.txt"
expect 3 --batch 2 --all-batches "$scratch/measured.txt"
says 'the second program: MaxPool' out
# The same by a Slice that is the whole of every batch up to 100.
cat >"$scratch/cut.txt" <<TEXT
original (float[batch, 4] X) => (float[batch, 4] Z) { Z = Softmax <axis = 1> (X) }
mutant (float[batch, 4] X) => (float[batch, 4] Z)
<int64[1] zero = {0}, int64[1] hundred = {100}, int64[1] rest = {-1}, int64[2] back = {-1, 4}>
{
  part = Slice (X, zero, hundred, zero)
  all = Shape (part)
  n = Gather (all, zero)
  to = Concat <axis = 0> (n, rest)
  v = Reshape (X, to)
  s = Softmax <axis = 1> (v)
  Z = Reshape (s, back)
}
TEXT
expect 0 --batch 2 "$scratch/cut.txt"
expect 1 --batch 200 "$scratch/cut.txt"
expect 3 --batch 2 --all-batches "$scratch/cut.txt"
says 'Slice may be read as something else at other sizes' out
# Two batches: of one size, not at all sizes of their own.
cat >"$scratch/two.txt" <<TEXT
original (float[a, 3] X, float[b, 3] Y) => (float[c, 3] Z) { Z = Relu (X) }
mutant (float[a, 3] X, float[b, 3] Y) => (float[c, 3] Z) {
  s = Sub (Y, Y)
  t = Add (X, s)
  Z = Relu (t)
}
TEXT
expect 1 --shape a=1 --shape b=5 "$scratch/two.txt"
expect 3 --batch 2 --all-sizes "$scratch/two.txt"
expect 0 --batch 2 --all-batches "$scratch/two.txt"
says 'at every a = b from 1 on' out

for crop in 1 4 11; do
  cat >"$scratch/cropped.txt" <<TEXT
original (float[N] X) => (float[M] Z) {
  Z = Relu (X)
}
mutant (float[N] X) => (float[M] Z) <int64[2] crop = {-$crop, 0}, int64[2] back = {$crop, 0}> {
  c = Pad (X, crop)
  d = Sub (c, c)
  e = Pad (d, back)
  r = Relu (X)
  Z = Add (r, e)
}
TEXT
  expect 3 --shape N=20 --all-sizes "$scratch/cropped.txt"
done
cat >"$scratch/wide.txt" <<TEXT
original (float[1, 1, 29] X, float[1, 1, K] W) => (float[1, 1, 29] Z) {
  Z = Relu (X)
}
mutant (float[1, 1, 29] X, float[1, 1, K] W) => (float[1, 1, 29] Z) {
  c = Conv (X, W)
  d = Sub (c, c)
  s = ReduceSum (d)
  r = Relu (X)
  Z = Add (r, s)
}
TEXT
expect 0 --shape K=3 "$scratch/wide.txt"
expect 3 --shape K=3 --all-sizes "$scratch/wide.txt"

# The same up to a size of 999 only, for which the file computes that nothing is cut off.
cat >"$scratch/computed.txt" <<TEXT
original (float[N] X) => (float[M] Z) {
  Z = Identity (X)
}
mutant (float[N] X) => (float[M] Z)
<int64[1] zero = {0}, int64[1] many = {1000000}, int64[1] thousand = {1000}>
{
  n = Shape (X)
  q = Div (n, thousand)
  Z = Slice (X, q, many)
}
TEXT
expect 0 --shape N=2 "$scratch/computed.txt"
expect 1 --shape N=1000 "$scratch/computed.txt"
expect 3 --shape N=2 --all-sizes "$scratch/computed.txt"
says 'a constant is another one at other sizes' out
cat >"$scratch/computed.txt" <<TEXT
original (float[N, 6] X) => (float[M, 6] Z) {
  Z = Identity (X)
}
mutant (float[N, 6] X) => (float[M, 6] Z) <int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}>
{
  n = Shape <start = 1> (X)
  q = Sub (n, two)
  a = Slice (X, zero, q, one)
  b = Slice (X, q, n, one)
  Z = Concat <axis = 1> (a, b)
}
TEXT
expect 3 --shape N=2 --all-sizes "$scratch/computed.txt"
says 'what Slice is read as may be another one at other sizes' out
expect 1 --sizes N=5..7 "$scratch/small.txt"
expect 1 "$scratch/small.txt" --sizes N=5..7
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
expect 2 --sizes Q=1..2 --shape N=2 --shape K=2 --shape M=2 "$scratch/right.txt"
says 'size Q=2: no file leaves a dimension of that name open' out
expect 2 --sizes N=1..1000000 "$scratch/right.txt"
says 'more than 100000 pairs' err
finish
