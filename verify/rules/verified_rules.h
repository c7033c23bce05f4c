// Rules verified before they are used, and remembered: a rule that was found right once is not
// looked at again by the same program.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "core/rewrite/rule.h"
#include "core/util/digest.h"
#include "verify/rules/rule_check.h"

namespace pet::rules {

struct Verified {
  RuleOutcome outcome = RuleOutcome::Unknown;
  std::string condition;  // of Conditional
  std::string why;        // of Unknown

  bool is_usable() const {
    return outcome == RuleOutcome::Equivalent || outcome == RuleOutcome::Conditional;
  }
};

struct Verifying {
  std::optional<std::filesystem::path> memory = {};  // a file that is only ever appended to
  Digest program = {};                               // of what verifies: another one asks anew
  std::size_t threads = 1;
  std::stop_token stop = {};
  std::function<void(std::size_t done, std::size_t all)> progress = [](auto, auto) {};
};

// By rule. An Error: a stop.
Result<std::vector<Verified>> verified(const std::vector<const Rule*>& rules,
                                       const Verifying& options);

}  // namespace pet::rules
