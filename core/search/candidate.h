// A mutant that may take the place of its subprogram, with what the choice depends on.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/axis_order.h"
#include "core/ir/graph.h"
#include "core/search/lineage.h"
#include "core/util/result.h"

namespace pet {

struct Candidate {
  Graph program;                           // with the inputs and outputs of the subprogram
  Graph arranged;                          // the same, without the transposes at its borders
  std::vector<AxisOrder> inputs, outputs;  // in which it reads and yields values, canonical
  Lineage lineage;
  std::string kind;  // what `arranged` is made of, as calibration has it
  // At every position as far as it was looked at (sampled, or shown over the reals), at some of
  // them only, or everywhere and in floats, as acceptance asks.
  enum class Right { Sampled, SampledInPart, Everywhere } right = Right::Sampled;
  double cost = 0;  // analytic, of `arranged`
};

// Its cost is still to be estimated. An Error where the program cannot be arranged.
Result<Candidate> candidate_of(const Graph& subprogram, Graph program, Lineage lineage);

// It reads and yields values as they stand.
bool keeps_orders(const Candidate& candidate);

}  // namespace pet
