// From choices to what is written: the whole program with them in place, transposes moved out of
// the way, weights computed ahead of time.
#pragma once

#include <stop_token>

#include "core/onnx/export.h"
#include "core/program/passes/all_passes.h"
#include "core/search/search.h"

namespace pet {

struct Rewriting {
  std::vector<Replacement> replacements;
  std::map<std::string, std::string> metadata;  // the weight programs, where there are any
  std::vector<LeftConstant> left;               // what the file computes from weights at every run
  std::vector<AppliedPass> applied;             // in order; of what is written
};

Result<Rewriting> rewriting_of(const Graph& program, const Plan& plan, std::size_t threads,
                               std::stop_token stop);

}  // namespace pet
