// Subprograms whose weights are computed from constants, as a folded normalisation has them: the
// generator works on one where each such weight is a constant, and puts the expressions back into
// its mutants. What is known of a mutant for any weights is known for these.
#pragma once

#include <map>

#include "core/ir/graph.h"
#include "core/util/digest.h"
#include "core/util/result.h"

namespace pet::mutation {

class ComputedWeights {
 public:
  explicit ComputedWeights(const Graph& program);

  // With a constant of no meaning in the place of every weight that is computed.
  const Graph& with_constants() const { return with_constants_; }
  // REQUIRES: a mutant of it
  Result<Graph> with_expressions(const Graph& mutant) const;

 private:
  Graph program_;
  Graph with_constants_;
  std::map<Digest, NodeId> weights_;  // of the constants; in `program_`
};

}  // namespace pet::mutation
