#include "verify/reduce/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "verify/bitmap/bitmap_engine.h"

namespace pet::reduce {
namespace {

// A number, or something with one in it: 3e+06, 2^-64, [2,3], inf.
bool is_number(const std::string& word) {
  return word == "inf" || word == "nan" || std::any_of(word.begin(), word.end(), [](char c) {
           return std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

constexpr std::size_t kDrawsOfUnknown = 8;

}  // namespace

std::string kind_of(std::string_view reason) {
  // What comes before a colon says what it is, what comes after it of what.
  std::string plain;
  bool quoted = false;
  for (const char c : reason.substr(0, reason.find(':'))) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && c != '\'') plain += c;
  }
  std::istringstream words(plain);
  std::string out;
  for (std::string word; words >> word;) {
    if (!is_number(word)) out += (out.empty() ? "" : " ") + word;
  }
  return out;
}

std::optional<Failure> failure_of(const Verdict& verdict) {
  if (verdict.engines_disagree) return Failure{Outcome::Unknown, true, {}};
  switch (verdict.outcome) {
    case Outcome::Equivalent:
    case Outcome::EquivalentUpToConstants:
      return std::nullopt;
    case Outcome::Unknown:
      return Failure{verdict.outcome, false, kind_of(verdict.reason)};
    case Outcome::Partial:
    case Outcome::Different:
    case Outcome::ShapeMismatch:
    case Outcome::Unsupported:
      return Failure{verdict.outcome, false, {}};
  }
  return std::nullopt;
}

Judge::Judge(Failure failure, std::span<Engine* const> engines, const ProofOptions& options)
    : failure_(std::move(failure)), engines_(engines) {
  options_.proof = options;
  // Positions and small witnesses are for people, and change no verdict.
  options_.proof.in_detail = false;
  options_.proof.record_test = false;
  options_.proof.progress = [](std::string_view, double) {};
  for (Engine* engine : engines)
    if (engine == engines.front() || engine->name() == BitmapEngine::kName) few_.push_back(engine);
}

Result<std::string> Judge::shown_by(const Pair& pair) const {
  auto text = to_case_text(pair.original, pair.mutant);
  if (!text) return text;
  const auto programs = parse_case(*text, "the case");
  if (!programs) return programs.error();
  // What one draw leaves unknown another may show: whoever asks of the case draws anew.
  const std::size_t draws = failure_.outcome == Outcome::Unknown ? kDrawsOfUnknown : 1;
  FileProofOptions options = options_;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    if (draw > 0 && options_.proof.proof_seed)
      options.proof.proof_seed = fmt::format("{} {}", *options_.proof.proof_seed, draw);
    const Verdict verdict = prove_files(programs->original, programs->mutant, engines_, options);
    if (is_failure(verdict)) continue;
    return Error{fmt::format("as a case it is {}{}{}", to_string(verdict.outcome),
                             verdict.reason.empty() ? "" : ": ", verdict.reason),
                 ErrorKind::Tool};
  }
  if (failure_.engines_disagree) return text;
  for (const Model* program : {&programs->original, &programs->mutant}) {
    const Verdict itself = prove_files(*program, *program, few_, options_);
    if (itself.outcome == Outcome::Equivalent && !itself.engines_disagree) continue;
    return Error{fmt::format("one of the programs is not equivalent to itself: {}", itself.reason),
                 ErrorKind::Tool};
  }
  return text;
}

}  // namespace pet::reduce
