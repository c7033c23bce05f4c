// The operands and the result of a product that is being emitted, brought into the layout that the
// operator wants and back.
#pragma once

#include <functional>

#include "core/program/mutate/state.h"

namespace pet::mutation {

class Operands {
 public:
  // `leaf`: what stands in the builder for an input or a constant of the subprogram.
  Operands(GraphBuilder& b, const State& state, std::function<NodeId(NodeId)> leaf)
      : b_(b), s_(state), leaf_(std::move(leaf)) {}

  // One, or as many as the product is taken apart into.
  Result<std::vector<DigitTensor>> data(const DigitDims& dims);
  Result<NodeId> weight(const DigitDims& dims, Dim tap);  // < 0: all of it
  Result<NodeId> bias(const DigitDims& dims);
  // The operator's result, laid out as said, in the layout of the original.
  Result<NodeId> result(NodeId product, const DigitDims& dims);

 private:
  DigitTensor tensor(NodeId node, const DigitDims& dims) const;
  std::vector<std::vector<Digit>> sized(const DigitDims& dims) const;
  Result<DigitTensor> joined_data();
  Result<DigitTensor> joined_weight();
  Result<DigitTensor> part_weight(const Part& part);
  Result<DigitTensor> composed_weight();
  Result<NodeId> sum_of(std::optional<NodeId> (*which)(const Part&));
  Result<DigitTensor> joined_bias();
  Result<std::vector<DigitTensor>> pieces(const DigitTensor& whole, const Step& step,
                                          const std::vector<int>& order);
  Status apply(const Step& step, std::vector<DigitTensor>& parts, const std::vector<int>& rank);
  Status diagonal(DigitTensor& weight, const Step& step);
  std::vector<int> ranks(const DigitDims& dims) const;

  GraphBuilder& b_;
  const State& s_;
  std::function<NodeId(NodeId)> leaf_;
};

}  // namespace pet::mutation
