// A value whose dimensions are seen as digits: n = 2·n_outer + n_inner. Digits are split, reordered
// and merged without operators; only when a layout is asked for does one chain of reshape,
// transpose, reshape come out of all that, the same chain for the same index map however it was
// arrived at.
#pragma once

#include <vector>

#include "core/ir/builder.h"

namespace pet::mutation {

struct Digit {
  int id = -1;
  Dim extent = 1;
  bool operator==(const Digit&) const = default;
};

// By dimension of a tensor, outermost first; no digits: an extent of 1.
using DigitDims = std::vector<std::vector<int>>;

class DigitTensor {
 public:
  // REQUIRES: the extents of the digits of a dimension multiply to its own
  DigitTensor(NodeId node, std::vector<std::vector<Digit>> dims)
      : node_(node), dims_(std::move(dims)) {}

  NodeId node() const { return node_; }
  std::vector<Digit> digits() const;  // all, in order of memory
  bool has(int id) const;
  Dim extent(int id) const;  // REQUIRES: has(id)

  // No operators.
  void split(int id, const Digit& outer, const Digit& inner);
  void rename(int id, int other);
  bool merge(int outer, int inner, int merged);  // false where they do not lie side by side

  // With operators, put into the builder.
  Status arrange(GraphBuilder& b, const DigitDims& dims);
  Status settle(GraphBuilder& b, const std::vector<int>& order);  // each digit its own dimension
  Status pad(GraphBuilder& b, int id, Dim before, Dim after);
  Status slice(GraphBuilder& b, int id, Dim low, Dim count, Dim step = 1);
  // A new digit of extent 1 in front of the one that is named (behind all others: -1).
  Status insert_unit(GraphBuilder& b, int id, int in_front_of);
  // Parts that are laid out alike, one after another along a digit.
  static Result<DigitTensor> concat(GraphBuilder& b, std::vector<DigitTensor> parts, int id);

 private:
  std::size_t dimension_of(int id) const;
  Result<std::size_t> isolate(GraphBuilder& b, int id);  // its own dimension
  Status reshape_to(GraphBuilder& b, std::vector<std::vector<Digit>> dims);

  NodeId node_;
  std::vector<std::vector<Digit>> dims_;
};

}  // namespace pet::mutation
