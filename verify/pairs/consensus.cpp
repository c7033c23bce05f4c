#include "verify/pairs/consensus.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/util/check.h"
#include "verify/verdict/verdict_report.h"

namespace pet {
namespace {

bool knows(const Verdict& verdict) {
  return verdict.outcome != Outcome::Unknown && verdict.outcome != Outcome::Unsupported;
}

// Whether two verdicts on one output cannot both be true: one has more equal positions than the
// other leaves open, or both leave nothing open and the positions are others.
bool contradict(const OutputVerdict& a, const OutputVerdict& b) {
  if (a.elements != b.elements) return true;
  if (a.equal > b.equal + b.undecided || b.equal > a.equal + a.undecided) return true;
  if (a.undecided > 0 || b.undecided > 0 || a.wrong.empty() || b.wrong.empty()) return false;
  return a.wrong.points() != b.wrong.points();
}

// Whether two verdicts cannot both be true. Different: nowhere equal as far as is known.
bool contradict(const Verdict& a, const Verdict& b) {
  if (!knows(a) || !knows(b)) return false;
  const auto is_not_equal = [](const Verdict& v) {
    return v.outcome == Outcome::Partial || v.outcome == Outcome::Different;
  };
  if (a.outcome != b.outcome && (!is_not_equal(a) || !is_not_equal(b) || a.outputs.empty()))
    return true;
  if (a.outputs.size() != b.outputs.size()) return true;
  for (std::size_t i = 0; i < a.outputs.size(); ++i) {
    if (contradict(a.outputs[i], b.outputs[i])) return true;
  }
  return false;
}

// Whether `other` shows a difference where `verdict` only suspects one, and claims no equality
// beyond it.
bool knows_more(const Verdict& other, const Verdict& verdict) {
  if (verdict.outcome != Outcome::Unknown) return false;
  if (other.outcome != Outcome::Different && other.outcome != Outcome::Partial) return false;
  for (std::size_t i = 0; i < other.outputs.size(); ++i) {
    const Dim known = i < verdict.outputs.size() ? verdict.outputs[i].equal : 0;
    if (other.outputs[i].equal > known) return false;
  }
  return true;
}

bool is_enough(const Verdict& verdict) {
  if (verdict.outcome == Outcome::Equivalent || verdict.outcome == Outcome::EquivalentUpToConstants)
    return true;
  const bool is_decided =
      std::ranges::all_of(verdict.outputs, [](const OutputVerdict& o) { return o.undecided == 0; });
  return is_decided && has_witness(verdict.outputs);
}

// Whether it calls more equal than another one leaves standing.
bool goes_beyond(const Verdict& verdict, const Verdict& other) {
  if (claims_equality(verdict.outcome) && !claims_equality(other.outcome)) return true;
  for (std::size_t i = 0; i < verdict.outputs.size(); ++i) {
    const Dim known = i < other.outputs.size() ? other.outputs[i].equal : 0;
    if (verdict.outputs[i].equal > known) return true;
  }
  return false;
}

// The verdict of engines that do not contradict one another.
const Verdict& agreed(const std::vector<EngineWord>& words) {
  const Verdict& first = words.front().verdict;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const Verdict& other = words[i].verdict;
    if (other.leaves_domain && claims_anything(first)) return other;
    if (words[i].compared != nullptr) {
      if (goes_beyond(first, other)) return other;
      // Positions that one could not show to be equal the other has.
      if (first.outcome == Outcome::Different && other.outcome == Outcome::Partial) return other;
    }
    if (knows_more(other, first)) return other;
  }
  return first;
}

// Two that cannot both be right; nothing where all may be.
std::optional<std::string> contradiction(const std::vector<EngineWord>& words,
                                         std::span<Engine* const> engines) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!contradict(words[j].verdict, words[i].verdict)) continue;
      return fmt::format("the {} engine says {} and the {} engine {}: a defect of this tool",
                         engines[j]->name(), to_string(words[j].verdict.outcome),
                         engines[i]->name(), to_string(words[i].verdict.outcome));
    }
  }
  return std::nullopt;
}

}  // namespace

EngineWord consensus(const Graph& original, const Graph& mutant, std::span<Engine* const> engines,
                     const ProofOptions& options) {
  PET_CHECK(!engines.empty(), "a proof needs an engine");
  std::vector<EngineWord> words;
  std::vector<EngineAnswer> answers;
  ProofOptions how = options;
  for (Engine* engine : engines) {
    how.is_answered = !options.exhaustive && std::ranges::any_of(words, [](const EngineWord& w) {
      return is_enough(w.verdict);
    });
    const std::string whole = fmt::format("{} engine", engine->name());
    const Asking asking(options, whole);
    const Verdict& said = words.emplace_back(engine->ask(original, mutant, how)).verdict;
    answers.push_back({std::string(engine->name()), said.outcome, said.reason, said.log2_error});
    if (options.first_difference && has_witness(said.outputs)) break;
  }
  EngineWord out;
  out.verdict = agreed(words);
  for (const EngineWord& word : words) {
    if (!out.verdict.test && word.verdict.test) out.verdict.test = word.verdict.test;
    if (out.compared == nullptr) out.compared = word.compared;
  }
  for (const EngineWord& word : words) {
    if (word.verdict.engines_disagree) out.verdict = word.verdict;  // with itself
  }
  if (auto reason = contradiction(words, engines); reason && !out.verdict.engines_disagree) {
    out.verdict = Verdict{};  // says nothing of any output
    out.verdict.proof_seed = words.front().verdict.proof_seed;
    out.verdict.engines_disagree = true;
    out.verdict.reason = *std::move(reason);
  }
  out.verdict.engines = std::move(answers);
  return out;
}

}  // namespace pet
