// Weights computed ahead of time: what a program computes from constants alone becomes a constant,
// with a weight program that says how (theory: section 6a).
#pragma once

#include <map>
#include <memory>
#include <set>
#include <stop_token>

#include "core/ir/builder.h"
#include "core/ir/provenance.h"
#include "core/ir/weight_programs.h"

namespace pet {

// What could not be computed ahead of time.
struct LeftConstant {
  std::string what;  // the operator, and what it yields where that has a name
  std::string reason;
};

// What was computed so far, by digests of the programs that compute it: for who folds several
// programs that have constants in common.
using FoldedConstants = std::map<Digest, std::shared_ptr<const Tensor>>;

class ConstantFolder {
 public:
  // What `known` holds is not computed once more, and what is computed is added to it. Null: there
  // is nobody else. REQUIRES: `original` and `known` outlive this
  ConstantFolder(const Graph& original, std::size_t threads, std::stop_token stop,
                 FoldedConstants* known = nullptr);

  // `program` with everything computed from constants alone replaced by its correctly rounded
  // value. What no float can hold, or nothing here can round, stays computed, from operands that
  // are folded where they can be.
  Result<Rewritten> fold(const Graph& program);

  std::size_t count() const { return results_.size(); }            // of constants folded so far
  const std::vector<LeftConstant>& left() const { return left_; }  // and those that stay
  WeightPrograms programs() &&;                                    // of all that are folded

 private:
  class Folding;

  std::size_t threads_;
  std::stop_token stop_;
  FoldedConstants* known_;
  std::set<Digest> symbols_;  // float constants of the original with more than one element
  GraphBuilder programs_;
  std::vector<Digest> results_;
  std::vector<LeftConstant> left_;
};

}  // namespace pet
