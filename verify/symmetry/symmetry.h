// Sums of products compared at one channel instead of at all of them (theorem and proof:
// README.md): modulo random primes, at every position that symmetry leaves.
#pragma once

#include <cstddef>
#include <stop_token>

#include "core/ir/graph.h"
#include "core/util/digest.h"
#include "core/util/result.h"

namespace pet::symmetry {

struct Options {
  double log2_error = -100;  // of an "equal" that is wrong
  Digest secret;  // what primes and points are drawn from: not known to who wrote the programs
  double most_steps = 0x1p30;  // of evaluating both modulo all primes
  std::size_t threads = 1;
  std::stop_token stop;
};

struct Compared {
  bool are_equal = false;  // as polynomials in their leaves; if not: for certain
  double log2_error = 0;
  std::size_t primes = 0;
  double share = 1;  // of the steps that a look at every position would take
};

// REQUIRES: equal inputs, one output each, of one type. An Error where a function is applied to
// anything but constants, or more steps would be needed than asked for.
Result<Compared> compare(const Graph& original, const Graph& mutant, const Options& options);

}  // namespace pet::symmetry
