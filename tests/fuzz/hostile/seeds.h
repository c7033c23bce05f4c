// Good files of every kind that pet-verify reads: what hostile ones are made from.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/ir/shape.h"

namespace pet::fuzz {

struct ModelPair {
  std::string a;
  std::string b;
  std::map<std::string, Dim> sizes;  // of what both leave open
};

// The cases of the repository.
std::vector<std::string> case_seeds(const std::filesystem::path& folder);

// Its rules, each in a file of its own.
std::vector<std::string> rule_seeds(const std::filesystem::path& folder);

// Small e-graphs in the extraction gym's JSON, with and without cycles.
std::vector<std::string> egraph_seeds();

// Small files with the same interface: bias apart, open sizes, folded constants with their
// programs, nested graphs and functions. Uses the folder for what it writes.
std::vector<ModelPair> model_seeds(const std::filesystem::path& folder);

// Manifests of cases and models, which are written into the folder for them.
std::vector<std::string> manifest_seeds(std::vector<std::string> cases,
                                        const std::vector<ModelPair>& models,
                                        const std::filesystem::path& folder);

}  // namespace pet::fuzz
