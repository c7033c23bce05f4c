#include "verify/consensus.h"

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

// Whether it calls anything equal, be it one position of one output.
bool claims_anything(const Verdict& verdict) {
  return claims_equality(verdict.outcome) ||
         std::any_of(verdict.outputs.begin(), verdict.outputs.end(),
                     [](const OutputVerdict& out) { return out.equal > 0; });
}

bool is_enough(const Verdict& verdict) {
  if (verdict.outcome == Outcome::Equivalent || verdict.outcome == Outcome::EquivalentUpToConstants)
    return true;
  const bool is_decided =
      std::ranges::all_of(verdict.outputs, [](const OutputVerdict& o) { return o.undecided == 0; });
  return is_decided && has_witness(verdict.outputs);
}

// The verdict of engines that do not contradict one another.
const Verdict& agreed(const std::vector<Verdict>& verdicts,
                      std::span<EquivalenceChecker* const> engines) {
  const Verdict& first = verdicts.front();
  for (std::size_t i = 1; i < verdicts.size(); ++i) {
    if (verdicts[i].leaves_domain && claims_anything(first)) return verdicts[i];
    if (engines[i]->sees_rounding()) {
      if (claims_anything(first) && !claims_equality(verdicts[i].outcome)) return verdicts[i];
      // Positions that one could not show to be equal the other has.
      if (first.outcome == Outcome::Different && verdicts[i].outcome == Outcome::Partial)
        return verdicts[i];
    }
    if (knows_more(verdicts[i], first)) return verdicts[i];
  }
  return first;
}

}  // namespace

Verdict consensus(const Graph& original, const Graph& mutant,
                  std::span<EquivalenceChecker* const> engines, const ProofOptions& options) {
  PET_CHECK(!engines.empty(), "a proof needs an engine");
  std::vector<Verdict> verdicts;
  std::vector<EngineAnswer> answers;
  ProofOptions how = options;
  for (EquivalenceChecker* engine : engines) {
    how.is_answered = !options.exhaustive && std::ranges::any_of(verdicts, is_enough);
    const std::string whole = fmt::format("{} engine", engine->name());
    const Asking asking(options, whole);
    const Verdict& said = verdicts.emplace_back(engine->check(original, mutant, how));
    answers.push_back({std::string(engine->name()), said.outcome, said.reason, said.log2_error});
    if (options.first_difference && has_witness(said.outputs)) break;
  }
  Verdict verdict = agreed(verdicts, engines);
  for (const Verdict& said : verdicts) {
    if (!verdict.test && said.test) verdict.test = said.test;
  }
  for (const Verdict& said : verdicts) {
    if (said.engines_disagree) verdict = said;  // with itself
  }
  for (std::size_t i = 0; i < verdicts.size() && !verdict.engines_disagree; ++i) {
    for (std::size_t j = 0; j < i && !verdict.engines_disagree; ++j) {
      if (!contradict(verdicts[j], verdicts[i])) continue;
      verdict = Verdict{};  // says nothing of any output
      verdict.proof_seed = verdicts[j].proof_seed;
      verdict.engines_disagree = true;
      verdict.reason = fmt::format(
          "the {} engine says {} and the {} engine {}: a defect of this tool", engines[j]->name(),
          to_string(verdicts[j].outcome), engines[i]->name(), to_string(verdicts[i].outcome));
    }
  }
  verdict.engines = std::move(answers);
  return verdict;
}

}  // namespace pet
