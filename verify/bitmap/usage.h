// Which results of functions an output is made of, element by element: what a slice behind a
// function leaves out, nobody sees.
#pragma once

#include <map>
#include <stop_token>
#include <vector>

#include "core/eval/meaning_code.h"
#include "verify/values/totality.h"

namespace pet {

class Usage {
 public:
  // Of the elements of `output` that are not 0 in `wanted`, down to the operators that are not 0 in
  // `sources` (by node). REQUIRES: the output has a known shape, wanted its elements
  Usage(const GraphCode& program, NodeId output, std::vector<char> wanted,
        const std::vector<char>& sources, TimesZero times_zero, const std::stop_token& stop);

  // By source on the way to the output: for each of its applications not 0 where a result is used.
  using Results = std::vector<std::vector<char>>;
  const std::map<NodeId, Results>& results() const { return results_; }

  // How much work it is, in steps (step_limit.h).
  static double steps(const Graph& graph, NodeId output, const std::vector<char>& sources);

 private:
  void mark_operands(const GraphCode& program, NodeId id, const std::vector<char>& needed);

  std::vector<std::vector<char>> values_;  // by node; empty where none is used
  std::map<NodeId, Results> results_;
  TimesZero times_zero_;
};

}  // namespace pet
