#include "verify/files/case_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/util/printable.h"

namespace pet {
namespace {

Error misplaced(std::string message) { return Error{std::move(message), ErrorKind::Malformed}; }

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// Lines may end as any system ends them.
std::string_view next_line(std::string_view& text) {
  const auto end = std::min(text.find_first_of("\r\n"), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// What a comment expects; nothing where it speaks of something else. A comment that begins like an
// expectation is one: what nobody reads would be met by anything.
Result<std::optional<Expectation>> expectation_in(std::string_view comment) {
  constexpr std::string_view kKey = "expect";
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  const auto* const first = std::ranges::find_if(comment, is_letter);
  comment.remove_prefix(static_cast<std::size_t>(first - comment.begin()));
  if (lower_case(comment.substr(0, kKey.size())) != kKey) return std::optional<Expectation>{};
  auto rest = comment.substr(kKey.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  if (!rest.starts_with(':'))
    return misplaced(
        fmt::format("\"# {}\" expects nothing; write \"# expect: VERDICT\"", printable(comment)));
  auto expectation = parse_expectation(rest.substr(1));
  if (!expectation) return std::move(expectation).error();
  return std::optional(*std::move(expectation));
}

// Read apart from the rest of the file, which may be expected to be unreadable.
Result<std::optional<Expectation>> expectation_of(std::string_view text) {
  std::optional<Expectation> out;
  bool is_head = true;  // nothing but comments so far
  while (!text.empty()) {
    auto line = next_line(text);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    is_head = is_head && (line.empty() || line.front() == '#');
    if (!line.starts_with('#')) continue;
    auto one = expectation_in(line.substr(1));
    if (!one) return one;
    if (!*one) continue;
    if (!is_head) return misplaced("\"# expect:\" has to stand before the first program");
    if (out) return misplaced("\"# expect:\" stands there twice");
    out = **std::move(one);
  }
  return out;
}

}  // namespace

CaseOutcome check_programs(const CaseFile& programs, std::span<Engine* const> engines,
                           const FileProofOptions& options) {
  CaseOutcome outcome;
  FileProofOptions engines_too = options;
  engines_too.asks_of_copies = true;
  for (const Model* program : {&programs.original, &programs.mutant}) {
    const FileVerdict itself = prove_files(*program, *program, engines, engines_too);
    // An engine that does not know contradicts nobody, not even that.
    const bool may_be = itself.outcome == Outcome::Equivalent ||
                        itself.outcome == Outcome::Unknown ||
                        itself.outcome == Outcome::Unsupported;
    if (may_be && !itself.engines_disagree) continue;
    FileVerdict defect;  // says nothing of the pair
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

Result<CaseOutcome> check_case(std::string_view text, const std::string& where,
                               const CaseJudge& judge, const ReadOptions& reading) {
  const auto expectation = expectation_of(text);
  if (!expectation) return Error(expectation.error()).within(printable(where));
  const auto programs = parse_case(text, where, reading);
  if (!programs) {
    CaseOutcome outcome;
    outcome.has_expectation = expectation->has_value();
    if (!expectation->has_value()) return programs.error();
    outcome.deviation = deviation(**expectation, programs.error());
    if (!outcome.deviation.empty()) return programs.error();
    outcome.error = programs.error();
    return outcome;
  }
  CaseOutcome outcome = judge(*programs, expectation->has_value());
  if (!outcome.verdict) return *std::move(outcome.error);
  outcome.has_expectation = expectation->has_value();
  if (outcome.deviation.empty() && expectation->has_value())
    outcome.deviation = deviation(**expectation, *outcome.verdict);
  return outcome;
}

Result<CaseOutcome> check_case(const std::filesystem::path& path, std::span<Engine* const> engines,
                               const FileProofOptions& options, const ReadOptions& reading) {
  const auto text = read_case_text(path);
  if (!text) return text.error();
  return check_case(
      *text, path.string(),
      [&](const CaseFile& programs, bool) { return check_programs(programs, engines, options); },
      reading);
}

}  // namespace pet
