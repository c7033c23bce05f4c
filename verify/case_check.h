// Verification cases: two programs in one text file, with the verdict that they must get.
#pragma once

#include <filesystem>
#include <optional>

#include "verify/expectation.h"
#include "verify/file_proof.h"

namespace pet {

struct CaseOutcome {
  std::optional<Verdict>
      verdict;  // of original against mutant; none where the case could not be read
  bool has_expectation = false;
  std::string deviation;  // what is not as expected; empty where all is
};

// Checks that each program is equivalent to itself, then the pair, then the expectation. An Error
// where the case cannot be read and does not expect that.
Result<CaseOutcome> check_case(const std::filesystem::path& path,
                               std::span<EquivalenceChecker* const> engines,
                               const FileProofOptions& options, const ReadOptions& reading = {});

}  // namespace pet
