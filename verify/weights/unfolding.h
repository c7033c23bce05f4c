// Weight programs put back in place of the constants that they explain, so that every engine sees
// how the mutant's weights follow from the original's; and the check that each constant is what its
// program says, rounded once (theory: section 6a, (a) and (b)).
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/ir/weight_programs.h"
#include "core/onnx/model.h"

namespace pet {

struct FoldedConstant {
  std::shared_ptr<const Tensor> stored;
  std::string name;  // in the mutant's file
  NodeId program;    // in the unfolded graph: what computes it
};

struct Unfolded {
  Graph graph;  // the mutant's, inputs and outputs in their order
  std::vector<FoldedConstant> folded;
};

// `mutant` with the constants that `programs` explain unfolded. An Error where they read a constant
// that the original does not have (one that a caller can override is none).
Result<Unfolded> unfold(const Graph& original, const Graph& mutant, const WeightPrograms& programs);

// The same with the weight programs that the file carries. An Error where they cannot be read.
Result<Unfolded> unfold(const Model& original, const Model& mutant);

// What is wrong with a constant, in words; empty where every stored float is the correctly rounded
// value of its program, and exactly that value where no weight of the original takes part in it.
Result<std::string> wrong_constant(const Graph& original, const Unfolded& mutant,
                                   std::size_t threads, const std::stop_token& stop);

}  // namespace pet
