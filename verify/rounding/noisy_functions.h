// The results of element functions with rounding errors that are drawn (rounding/noisy_run.h).
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>

#include "core/eval/evaluate.h"
#include "core/ir/graph.h"
#include "verify/rounding/noisy_lanes.h"

namespace pet {

class NoisyFunctions {
 public:
  // `lanes`: of every value. REQUIRES: graph and stop outlive this
  NoisyFunctions(const Graph& graph, std::size_t lanes, std::size_t threads,
                 const std::stop_token& stop);

  // Functions are as exact as if what they read had been rounded once more, and so are their
  // results. Where floats hold a result it is as exact as what it was made of: one of two masks
  // that somebody chooses, a whole number, the logarithm of 1.
  // Of application `number` of node `id`; the results of earlier ones come behind the operands.
  // `word`: of its roundings; those that follow take others.
  NoisyValues result(NodeId id, const MeaningCode& code, std::size_t number,
                     std::span<const NoisyValues* const> operands, std::uint64_t& word) const;

 private:
  NoisyValues rounded(NodeId id, const MeaningCode& code, std::size_t number,
                      std::span<const NoisyValues* const> operands, std::uint64_t& word) const;
  // `has_some`: by lane, not 0 where what floats hold was rounded.
  void unround_elements(const MeaningCode& code, std::size_t number,
                        std::span<const NoisyValues* const> operands,
                        std::span<const char> has_some, NoisyValues& out) const;
  void unround_windows(const MeaningCode& code, std::size_t number,
                       std::span<const NoisyValues* const> operands, std::span<const char> has_some,
                       NoisyValues& out) const;
  void round(NoisyValues& values, std::uint64_t& word) const;

  const Graph& graph_;
  NoisyLanes lanes_;
  RealEvaluator<double> evaluator_;
  RealEvaluator<double> of_one_lane_;
};

}  // namespace pet
