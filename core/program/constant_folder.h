// Weights computed ahead of time: what a program computes from constants alone becomes a constant,
// with a weight program that says how (theory: section 6a).
#pragma once

#include <map>
#include <set>
#include <stop_token>

#include "core/ir/builder.h"
#include "core/onnx/weight_programs.h"

namespace pet {

class ConstantFolder {
 public:
  // REQUIRES: `original` outlives this
  ConstantFolder(const Graph& original, std::size_t threads, std::stop_token stop);

  // `program` with everything computed from constants alone replaced by its correctly rounded
  // value. An Error where a float cannot hold such a value.
  Result<Graph> fold(const Graph& program);

  std::size_t count() const { return results_.size(); }  // of constants folded so far
  WeightPrograms programs() &&;                          // of all of them

 private:
  Result<NodeId> copy_program(const Graph& program, NodeId id, std::map<NodeId, NodeId>& place);

  std::size_t threads_;
  std::stop_token stop_;
  std::set<Digest> symbols_;  // float constants of the original with more than one element
  GraphBuilder programs_;
  std::vector<Digest> results_;
};

}  // namespace pet
