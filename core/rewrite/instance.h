// A rule at known sizes: both its programs, and what a condition may speak of there.
#pragma once

#include <map>
#include <optional>

#include "core/ir/graph.h"
#include "core/rewrite/condition.h"
#include "core/rewrite/rule.h"

namespace pet::rules {

inline constexpr std::size_t kQuantitiesOfConvolution = 2;

struct Instance {
  std::map<std::string, Shape> shapes;  // of the inputs
  // The same ones, in the same order, of every instance; first of each convolution its groups and
  // its features in each, last the sizes of the inputs.
  std::vector<Quantity> quantities;
  std::size_t convolutions = 0;  // of both programs
  std::vector<Dim> merged;       // so many groups are made one of, somewhere
  // Sizes of the inputs, by their numbers over all inputs, that windows stride over: at which
  // distance two sizes place them in the same way.
  std::map<std::size_t, Dim> periods;
  Graph source;
  Graph target;
};

// The rule at shapes of its inputs: groups, how far the last stride reaches and what the rule makes
// itself follow from them. Nothing where they do not fit its programs. An Error: no sizes can mend
// what is wrong with the rule. REQUIRES: a shape for each input
Result<std::optional<Instance>> instance_at(const Rule& rule,
                                            const std::map<std::string, Shape>& shapes);

}  // namespace pet::rules
