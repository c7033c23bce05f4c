// Verification cases: two programs in one text file, with the verdict that they must get.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

#include "core/onnx/text.h"
#include "verify/files/expectation.h"
#include "verify/files/file_proof.h"

namespace pet {

struct CaseOutcome {
  std::optional<FileVerdict> verdict = {};  // of original against mutant; none where nothing was
  std::optional<Error> error = {};          // compared: why
  bool has_expectation = false;
  std::string deviation = {};  // what is not as expected; empty where all is
};

// Checks that each program is equivalent to itself, then the pair. What the case expects is no part
// of it: a deviation is a defect of ours.
CaseOutcome check_programs(const CaseFile& programs, std::span<Engine* const> engines,
                           const FileProofOptions& options);

// What check_programs() says, or knows already; `is_expected`: of a case that expects something.
using CaseJudge = std::function<CaseOutcome(const CaseFile& programs, bool is_expected)>;

// The judge's outcome, then the expectation. An Error where the case cannot be read and does not
// expect that. `where`: what errors call it.
Result<CaseOutcome> check_case(std::string_view text, const std::string& where,
                               const CaseJudge& judge, const ReadOptions& reading = {});
Result<CaseOutcome> check_case(const std::filesystem::path& path, std::span<Engine* const> engines,
                               const FileProofOptions& options, const ReadOptions& reading = {});

}  // namespace pet
