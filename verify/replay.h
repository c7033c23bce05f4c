// Witnesses: both programs run with their real operators and stored weights on drawn inputs.
#pragma once

#include <map>
#include <vector>

#include "core/eval/ring.h"
#include "core/ir/graph.h"
#include "core/program/equivalence.h"

namespace pet {

// Every output of a program, in long double and in double: where the two agree to many digits, rounding is no excuse.
struct RealOutputs {
  std::vector<std::vector<long double>> fine;
  std::vector<std::vector<double>> coarse;
};

// Inputs by name are standard normal numbers drawn from the seed. An error where the program holds an opaque node or a
// constant that is no finite float.
Result<RealOutputs> run_reals(const Graph& graph, std::uint64_t seed, std::size_t threads, std::stop_token stop);

// Whether two results differ by far more than rounding can explain.
bool clearly_differ(long double a, double a_coarse, long double b, double b_coarse, long double scale);

}  // namespace pet
