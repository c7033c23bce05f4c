// A function that jumps says nothing where its argument is too near a jump for the precision at
// hand: tanh(20) is below 1, and no long double is between the two, so that both precisions of a
// replay make 1 of its floor.
#pragma once

#include <vector>

#include "core/eval/evaluate.h"

namespace pet {

// Which values of a running program are known to their last digit, and what becomes of the results
// of functions that jump where others come near a jump.
template <class T>
class NearJumps {
 public:
  // REQUIRES: the graph outlives this
  NearJumps(const Graph& graph, std::size_t runs);

  // Whether there is anything to look at; else nothing else need be called.
  bool are_possible() const { return are_possible_; }

  // An input or a constant.
  void note_leaf(NodeId id, const LaneTensor<T>& value);

  // To be called of every computed value, operands first. Elements that lie within `reach` of a
  // jump (by run) become no numbers. An Error is that of the evaluator.
  Status look(NodeId id, const MeaningCode& code, const std::vector<const LaneTensor<T>*>& operands,
              const RealEvaluator<T>& evaluator, const std::vector<T>& reach, LaneTensor<T>& value);

 private:
  // Exact values that are whole multiples of 2^-fraction_bits are exact in sums and products, too.
  struct Known {
    bool is_exact = false;
    bool has_unit = false;
    int fraction_bits = 0;
  };

  Status blur(NodeId id, const MeaningCode& code, const std::vector<const LaneTensor<T>*>& operands,
              const RealEvaluator<T>& evaluator, const std::vector<T>& reach, LaneTensor<T>& value);
  Result<LaneTensor<T>> moved(NodeId id, const MeaningCode& code,
                              const std::vector<const LaneTensor<T>*>& operands,
                              const RealEvaluator<T>& evaluator, const std::vector<T>& reach,
                              T direction) const;
  Known known_sum(NodeId id, const std::vector<const LaneTensor<T>*>& operands,
                  std::size_t run) const;
  bool is_exact(NodeId id, std::size_t run) const;

  const Graph& graph_;
  bool are_possible_ = false;
  std::vector<std::vector<Known>> known_;  // by node and run
};

}  // namespace pet
