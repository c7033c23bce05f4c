// What is wrong with two programs: what stays as it is while they get smaller.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/onnx/text.h"
#include "verify/files/file_proof.h"
#include "verify/reduce/pair.h"

namespace pet::reduce {

struct Failure {
  Outcome outcome = Outcome::Unknown;
  bool engines_disagree = false;  // whatever they say
  std::string kind;               // of Unknown: its reason, without the numbers and names in it
  bool operator==(const Failure&) const = default;
};

// Nothing where the verdict is none: equivalent, or not finished.
std::optional<Failure> failure_of(const Verdict& verdict);

// "sums up to 3e+06 times larger" and "sums up to 17 times larger" are of one kind.
std::string kind_of(std::string_view reason);

// Says of a pair whether it fails in that way.
class Judge {
 public:
  Judge(Failure failure, std::span<Engine* const> engines, const ProofOptions& options);

  const Failure& failure() const { return failure_; }
  // The pair as a case, of which pet-verify says just that, each program being equivalent to itself
  // (which engines are not asked that neither give the verdict nor have to be among them: all that
  // they can say is that we have a defect). An Error that says why not.
  Result<std::string> shown_by(const Pair& pair) const;

 private:
  bool is_failure(const Verdict& verdict) const { return failure_of(verdict) == failure_; }

  Failure failure_;
  std::span<Engine* const> engines_;
  std::vector<Engine*> few_;
  FileProofOptions options_;
};

}  // namespace pet::reduce
