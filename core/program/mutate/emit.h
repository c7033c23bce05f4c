// From a node of the generator's tree to programs: the product in the middle as an operator of the
// vocabulary, which there may be several of, the views that it needs in front and behind, and the
// view of the weight that follows from the roles of its axes.
#pragma once

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

// A program with the inputs of the subprogram. An Error where the operator does not fit.
Result<Graph> emit(const Graph& subprogram, const State& state, const Form& form);

}  // namespace pet::mutation
