// Both programs of a pair, compiled operator by operator when first asked for.
#pragma once

#include "core/eval/meaning_code.h"
#include "verify/values/value_table.h"

namespace pet {

class PairCode {
 public:
  // REQUIRES: both outlive this
  PairCode(const Graph& original, const Graph& mutant) : original_(original), mutant_(mutant) {}

  const GraphCode& original() const { return original_; }
  const GraphCode& mutant() const { return mutant_; }
  // Of all values of both programs of known shape.
  double elements() const {
    double out = 0;
    for (const Graph* graph : {&original_.graph(), &mutant_.graph()}) {
      for (const Node& node : graph->nodes())
        out += node.type.shape ? static_cast<double>(count(*node.type.shape)) : 0;
    }
    return out;
  }
  // REQUIRES: one of the two computes the value, by an operator with a meaning
  std::shared_ptr<const MeaningCode> of(const Value& value) const {
    const bool mine = value.graph == &mutant_.graph();
    return (mine ? mutant_ : original_).at(value.node);
  }

 private:
  GraphCode original_;
  GraphCode mutant_;
};

}  // namespace pet
