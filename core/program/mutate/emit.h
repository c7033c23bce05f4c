// From a node of the generator's tree to programs: the product in the middle as an operator of the
// vocabulary, which there may be several of, the views that it needs in front and behind, and the
// view of the weight that follows from the roles of its axes.
#pragma once

#include "core/program/mutate/forms.h"

namespace pet::mutation {

// A program with the inputs of the subprogram. An Error where the operator does not fit.
Result<Graph> emit(const Graph& subprogram, const State& state, const Form& form);

}  // namespace pet::mutation
