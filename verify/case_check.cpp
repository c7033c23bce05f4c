#include "verify/case_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>

namespace pet {
namespace {

Error misplaced(std::string message) { return Error{std::move(message), ErrorKind::Malformed}; }

// Read apart from the rest of the file, which may be expected to be unreadable.
Result<std::optional<Expectation>> expectation_of(const std::filesystem::path& path) {
  constexpr std::string_view kKey = "expect:";
  // A device or a pipe need not end, and a line may be as long as the file: read_case says what is
  // wrong with such a one.
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);
  if (failure || size > kLargestCase) return std::optional<Expectation>{};
  std::ifstream stream(path);
  std::string line;
  std::optional<Expectation> out;
  bool is_head = true;  // nothing but comments so far
  while (std::getline(stream, line)) {
    is_head = is_head && (line.empty() || line.front() == '#' || line == "\r");
    if (!line.starts_with('#')) continue;
    std::string_view text = line;
    text.remove_prefix(std::min(text.find_first_not_of("# \t"), text.size()));
    const bool is_one =
        std::ranges::equal(kKey, text.substr(0, kKey.size()),
                           [](char a, unsigned char b) { return a == std::tolower(b); });
    if (!is_one) continue;
    // One that nobody reads would be met by anything.
    if (!is_head) return misplaced("\"# expect:\" has to stand before the first program");
    if (out) return misplaced("\"# expect:\" stands there twice");
    text.remove_prefix(kKey.size());
    while (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    auto expectation = parse_expectation(text);
    if (!expectation) return std::move(expectation).error();
    out = *std::move(expectation);
  }
  return out;
}

}  // namespace

CaseOutcome check_programs(const CaseFile& programs, std::span<EquivalenceChecker* const> engines,
                           const FileProofOptions& options) {
  CaseOutcome outcome;
  for (const Model* program : {&programs.original, &programs.mutant}) {
    const Verdict itself = prove_files(*program, *program, engines, options);
    // An engine that does not know contradicts nobody, not even that.
    const bool may_be = itself.outcome == Outcome::Equivalent ||
                        itself.outcome == Outcome::Unknown ||
                        itself.outcome == Outcome::Unsupported;
    if (may_be && !itself.engines_disagree) continue;
    Verdict defect;  // says nothing of the pair
    defect.proof_seed = itself.proof_seed;
    defect.engines = itself.engines;
    defect.engines_disagree = true;
    defect.reason = fmt::format(
        "the {} program is {} to itself: a defect of this tool",
        program == &programs.original ? "original" : "mutant",
        itself.engines_disagree ? "both equal and not equal" : to_string(itself.outcome));
    outcome.deviation = defect.reason;
    outcome.verdict = std::move(defect);
    return outcome;
  }
  outcome.verdict = prove_files(programs.original, programs.mutant, engines, options);
  if (outcome.verdict->engines_disagree) outcome.deviation = outcome.verdict->reason;
  return outcome;
}

Result<CaseOutcome> check_case(const std::filesystem::path& path, const CaseJudge& judge,
                               const ReadOptions& reading) {
  const auto expectation = expectation_of(path);
  if (!expectation) return Error(expectation.error()).within(path.string());
  const auto programs = read_case(path, reading);
  if (!programs) {
    CaseOutcome outcome;
    outcome.has_expectation = expectation->has_value();
    if (!expectation->has_value()) return programs.error();
    outcome.deviation = deviation(**expectation, programs.error());
    if (!outcome.deviation.empty()) return programs.error();
    outcome.error = programs.error();
    return outcome;
  }
  CaseOutcome outcome = judge(*programs);
  if (!outcome.verdict) return *std::move(outcome.error);
  outcome.has_expectation = expectation->has_value();
  if (outcome.deviation.empty() && expectation->has_value())
    outcome.deviation = deviation(**expectation, *outcome.verdict);
  return outcome;
}

Result<CaseOutcome> check_case(const std::filesystem::path& path,
                               std::span<EquivalenceChecker* const> engines,
                               const FileProofOptions& options, const ReadOptions& reading) {
  return check_case(
      path, [&](const CaseFile& programs) { return check_programs(programs, engines, options); },
      reading);
}

}  // namespace pet
