// From choices to what is written: the whole program with them in place, transposes moved out of
// the way, weights computed ahead of time.
#pragma once

#include <map>
#include <stop_token>
#include <string>

#include "core/backend/backend.h"
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

// `known`: as ConstantFolder has it.
Result<Rewriting> rewriting_of(const Graph& program, const Plan& plan, std::size_t threads,
                               std::stop_token stop, FoldedConstants* known = nullptr);

// What a written file says of how it came about: the version of the tool, the digest of what it was
// made of, and where it was measured, if anywhere.
std::map<std::string, std::string> provenance(const Model& original, const std::string& tool);
std::map<std::string, std::string> provenance(const Model& original, const std::string& tool,
                                              const BackendInfo& runtime, int threads);

}  // namespace pet
