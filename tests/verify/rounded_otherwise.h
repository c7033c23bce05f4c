// What is the same over the reals and rounded in another way.
#pragma once

#include "tests/support/sketch.h"

namespace pet::test {

// Of x, which has two columns: a matrix and its inverse, sums 40,000 times as large.
inline NodeId rounded_otherwise(Sketch& s, NodeId x) {
  const NodeId matrix = s.constant({2, 2}, {101, 100, 100, 99});
  const NodeId inverse = s.constant({2, 2}, {-99, 100, 100, -101});
  return s.op("MatMul", {s.op("MatMul", {x, matrix}), inverse});
}

// x, of much of both.
inline NodeId much_of(Sketch& s, NodeId x, NodeId same, float times = 20000) {
  return s.op("Sub", {s.op("Mul", {same, s.scalar(times + 1)}), s.op("Mul", {x, s.scalar(times)})});
}

}  // namespace pet::test
