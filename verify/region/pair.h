// Two programs that are written out together: equal things in them are equal leaves. What the
// region engine asks, and whoever looks at boxes.
#pragma once

#include "verify/region/partition.h"
#include "verify/region/sum_boxes.h"
#include "verify/region/term_list.h"

namespace pet::region {

class Pair {
 public:
  // REQUIRES: both programs outlive this, and have equal inputs and outputs
  // (verify/values/interface.h)
  Pair(const Graph& original, const Graph& mutant, ValueTable::Weights weights,
       const PartitionLimits& limits, const std::stop_token& stop);
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  // The mutant yields that output by the very operators of the original.
  bool is_shared(std::size_t output) const;
  // REQUIRES: the output has a shape that is known
  Result<Partition> partition_of(std::size_t output);
  // What the two sums have that the other has not, at one position of an output: what the original
  // has alone with weights above 0. REQUIRES: the position lies inside of the output
  struct TermsAt {
    TermList::Terms differing;
    double original = 0, mutant = 0;  // products of each, written out
  };
  Result<TermsAt> terms_at(std::size_t output, const Shape& position);
  // Of a value of one of the programs. REQUIRES: it has a shape that is known
  Result<SumBoxes> sum_boxes_of(Expander::Side side, NodeId value);
  Result<TermList::Terms> sum_over(Expander::Side side, NodeId value, const DigitBasis& basis,
                                   const std::vector<Range>& box);
  // Of an input, a symbol or an opaque result; nothing for an element function.
  std::optional<ValueId> value_of(Leaf leaf) const { return leaves_.value_of(leaf); }
  const ValueTable& values() const { return table_; }
  // Whether the mutant is defined wherever the original is; false: not, or it was not found out.
  bool is_defined();

 private:
  void join_opaque(ValueId id);
  bool same_call(NodeId theirs, NodeId mine);
  bool same_value(NodeId theirs, NodeId mine);
  Expander& expander(Expander::Side side) {
    return side == Expander::Side::Original ? first_ : second_;
  }

  const Graph& original_;
  const Graph& mutant_;
  const PartitionLimits limits_;
  ValueTable table_;
  LeafTable leaves_;
  Expander first_;
  Expander second_;
};

}  // namespace pet::region
