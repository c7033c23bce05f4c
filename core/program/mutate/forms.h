// The operators of the vocabulary that a product can be written as.
#pragma once

#include <optional>
#include <vector>

#include "core/program/mutate/state.h"

namespace pet::mutation {

struct Form {
  enum class Kind { Sliding, DataTimesWeight, WeightTimesData, AsItIs };
  Kind kind = Kind::Sliding;
  // Of a sliding operator: which axes each of its sliding dimensions holds (one that slides, or
  // any number that do not; none: a dimension of extent 1).
  std::vector<std::vector<std::size_t>> slots;
  std::optional<Move> move;  // nothing for the plainest
};

// `all`: also those that only a product without views around it is worth.
std::vector<Form> forms(const State& state, bool all);

}  // namespace pet::mutation
