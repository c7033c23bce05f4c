#include "viz/words/events.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <concepts>

#include "core/program/region_words.h"
#include "core/util/overloaded.h"
#include "core/util/plural.h"

namespace pet::viz {
namespace {

std::string cost_in_words(double ms) { return fmt::format("{:.4g} ms", ms); }

std::string verdict_in_words(const MutantVerified& e) {
  std::string out = fmt::format("checked: {}", pet::to_string(e.outcome));
  if (e.wrong && !e.wrong->empty()) {
    out += fmt::format(", {:.2f} % of the output is wrong", 100 * e.wrong_share);
    const std::string where = where_in_words(*e.wrong);
    if (!where.empty()) out += fmt::format(" ({})", where);
  }
  if (!e.everywhere) out += "; of a sample of the channels";
  return out;
}

std::string measured_in_words(const Comparison& comparison) {
  return fmt::format("measured: {:.2f} times as fast ({:.2f} to {:.2f}), {}",
                     comparison.ratio.median, comparison.ratio.low, comparison.ratio.high,
                     pet::to_string(comparison.decision));
}

std::string extracted_in_words(const Extracted& e) {
  std::string out = fmt::format("extracted by {}: {}", e.extractor,
                                e.cost_ms ? cost_in_words(*e.cost_ms) : "no program");
  if (e.is_optimal) return out + ", the optimum";
  if (e.bound_ms) out += fmt::format(", nothing below {}", cost_in_words(*e.bound_ms));
  return e.why.empty() ? out : fmt::format("{} ({})", out, e.why);
}

std::string counted_in_words(const MutantsCounted& e) {
  return fmt::format("S{}: {}, {}, {} looked at{}", e.subprogram, plural(e.generator.nodes, "node"),
                     plural(e.generator.programs, "program"), plural(e.proposed, "mutant"),
                     e.all ? "" : " so far");
}

std::string discarded_in_words(const MutantDiscarded& e) {
  std::string out = fmt::format("discarded: {}", pet::to_string(e.why));
  if (e.way) out += fmt::format(" by {}", pet::to_string(*e.way));
  if (e.cost_ms) out += fmt::format(" ({})", cost_in_words(*e.cost_ms));
  if (!e.detail.empty()) out += fmt::format(": {}", e.detail);
  return out;
}

std::string kept_in_words(const CandidateKept& e) {
  std::string out = fmt::format("kept: estimated {}{}", cost_in_words(e.cost_ms),
                                e.in_part ? ", wrong at some sampled positions" : "");
  if (e.displaced) out += fmt::format("; {} had to leave", name_of(e.subprogram, *e.displaced));
  return out;
}

std::string dropped_in_words(const CandidateDropped& e) {
  std::string out =
      fmt::format("dropped: others are estimated to cost less ({})", cost_in_words(e.cost_ms));
  if (e.displaced_by) out += fmt::format(", {} among them", name_of(e.subprogram, *e.displaced_by));
  return out;
}

std::string round_in_words(const RoundStarted& e) {
  if (e.sources.empty()) return fmt::format("S{}: round {}", e.subprogram, e.round + 1);
  std::vector<std::string> names;
  for (const MutantId id : e.sources) names.push_back(name_of(e.subprogram, id));
  return fmt::format("S{}: round {}, from {}", e.subprogram, e.round + 1, fmt::join(names, ", "));
}

std::string tried_in_words(const PlanTried& e) {
  std::string out = fmt::format("a file of {}: {}", plural(e.parts.size(), "choice"),
                                e.accepted ? "accepted" : "not accepted");
  if (!e.reason.empty()) out += fmt::format(", {}", e.reason);
  if (e.ratio) out += fmt::format("; {:.2f} times as fast", e.ratio->median);
  return out;
}

std::string finished_in_words(const SearchFinished& e) {
  return fmt::format("the search ended ({}): {} looked at, {} checked, {} measured, {} chosen",
                     pet::to_string(e.reason), plural(e.proposed, "mutant"), e.verified, e.measured,
                     e.chosen);
}

}  // namespace

std::string name_of(std::size_t subprogram, MutantId mutant) {
  return fmt::format("S{} M{}", subprogram, mutant.value);
}

std::string in_words(const SubprogramFound& found) {
  return fmt::format("{} at {} ({})", fmt::join(found.operators, ", "), found.place,
                     plural(found.places, "place"));
}

std::string in_words(const Event& event) {
  return std::visit(
      overloaded{
          [](const SearchStarted& e) {
            return fmt::format("the search of {} began: {}, times {}", e.model,
                               plural(e.subprograms, "subprogram"), e.target);
          },
          [](const SubprogramFound& e) { return fmt::format("S{}: {}", e.number, in_words(e)); },
          [](const ProgramShown& e) { return fmt::format("program {:.8}", e.digest); },
          [](const RoundStarted& e) { return round_in_words(e); },
          [](const MutantProposed& e) {
            return fmt::format("proposed: {}", pet::in_words(e.mutant.moves));
          },
          [](const MutantShown& e) {
            return fmt::format("came about by: {}", pet::in_words(e.mutant.moves));
          },
          [](const MutantDiscarded& e) { return discarded_in_words(e); },
          [](const CandidateKept& e) { return kept_in_words(e); },
          [](const CandidateDropped& e) { return dropped_in_words(e); },
          [](const MutantsCounted& e) { return counted_in_words(e); },
          [](const MutantVerified& e) { return verdict_in_words(e); },
          [](const MutantCorrected& e) {
            return fmt::format("corrected: {}, checked again: {}",
                               name_of(e.subprogram, e.corrected), pet::to_string(e.outcome));
          },
          [](const CandidateMeasured& e) { return measured_in_words(e.comparison); },
          [](const BorderMeasured& e) {
            return fmt::format("a transpose of {} takes {}", pet::to_string(e.shape),
                               cost_in_words(e.ms));
          },
          [](const BorderFailed& e) {
            return fmt::format("a transpose was not measured: {}", e.error.message);
          },
          [](const LayoutMeasured& e) {
            return fmt::format("S{}: layouts of its own save the runtime {}", e.subprogram,
                               cost_in_words(e.ms));
          },
          [](const LayoutFailed& e) {
            return fmt::format("S{}: layouts were not measured: {}", e.subprogram, e.error.message);
          },
          [](const CandidateFailed& e) { return fmt::format("not measured: {}", e.why); },
          [](const BestImproved& e) {
            return fmt::format("the best so far: saves {}", cost_in_words(e.saved_ms));
          },
          [](const SearchFinished& e) { return finished_in_words(e); },
          [](const StageStarted& e) { return std::string(pet::to_string(e.stage)); },
          [](const PassApplied& e) { return fmt::format("pass {} applied", e.what.pass); },
          [](const FileMeasured& e) { return measured_in_words(e.comparison); },
          [](const FileProved& e) {
            return fmt::format("the written file is {}{}{}", pet::to_string(e.outcome),
                               e.reason.empty() ? "" : ": ", e.reason);
          },
          [](const NumbersCompared& e) {
            return fmt::format("on random inputs they differ by {:.2g} of the largest value",
                               e.max_rel);
          },
          [](const PlanTried& e) { return tried_in_words(e); },
          [](const StateTaken& e) {
            return fmt::format("program {}, estimated {}, is rewritten", e.state,
                               cost_in_words(e.cost_ms));
          },
          [](const StateReached& e) {
            return fmt::format("program {}, estimated {}: {} at {} of program {}", e.state,
                               cost_in_words(e.cost_ms), e.rule, e.place, e.parent);
          },
          [](const StateDropped& e) {
            return fmt::format("{} at {} of program {}: {}", e.rule, e.place, e.parent,
                               pet::to_string(e.why));
          },
          [](const RuleRefused& e) {
            return fmt::format("{} is used no more: at {} it is {}", e.rule, e.place,
                               pet::to_string(e.outcome));
          },
          [](const SaturationStarted& e) {
            return fmt::format("an e-graph of {} and {}, with {}", plural(e.classes, "class"),
                               plural(e.nodes, "node"), plural(e.rules, "rule"));
          },
          [](const RuleApplied& e) {
            return fmt::format("round {}: {} at {}: {} more, {} merged", e.iteration, e.rule,
                               plural(e.matches, "place"), plural(e.made, "node"),
                               plural(e.merged, "pair"));
          },
          [](const EGraphCounted& e) {
            return fmt::format("round {}: {}, {}, the cheapest program {}", e.iteration,
                               plural(e.classes, "class"), plural(e.nodes, "node"),
                               cost_in_words(e.best_ms));
          },
          [](const SaturationEnded& e) {
            return fmt::format("after {}: {}", plural(e.iterations, "round"), e.why);
          },
          [](const Extracted& e) { return extracted_in_words(e); },
          [](const WayFound& e) {
            return fmt::format("the cheapest program so far comes of {} and saves {}",
                               plural(e.way.size(), "rule"), cost_in_words(e.saved_ms));
          },
          [](const SolverAnswered& e) {
            return e.error.empty()
                       ? fmt::format("the solver answered after {:.1f} s: {}", e.seconds,
                                     e.is_optimal ? "an optimum" : "out of time")
                       : fmt::format("no answer of the solver: {}", e.error);
          },
          [](const TreeNodeReached& e) {
            return e.is_saturated ? fmt::format("{} changes nothing at node {}", e.rule, e.parent)
                                  : fmt::format("node {}, estimated {}: {} at node {}", e.node,
                                                cost_in_words(e.cost_ms), e.rule, e.parent);
          },
          [](const TreeUpdated& e) {
            return fmt::format("node {}: {}, value {:.4g}", e.node, plural(e.visits, "visit"),
                               e.value);
          },
          [](const OperatorMeasured& e) {
            return fmt::format("{} takes {}", e.what, cost_in_words(e.ms));
          },
          [](const BlockTaken& e) {
            const std::string first = e.places.empty() ? "" : e.places.front();
            return fmt::format("block {}: {} up to {}, there {}", e.block,
                               plural(e.operators, "operator"), first,
                               plural(e.places.size(), "time"));
          },
          [](const ActionChosen& e) {
            return fmt::format("{} is applied: the best mean, {:.4g}, at node {}", e.rule, e.mean,
                               e.node);
          }},
      event);
}

std::string in_words(const TraceNode& node) {
  std::string out = node.moves.empty() ? std::string(node.is_program ? "plainly" : "as it is")
                                       : pet::in_words(node.moves);
  if (node.pruned) out += fmt::format(": {}", pet::to_string(*node.pruned));
  return out;
}

std::optional<AboutMutant> of_mutant(const Event& event) {
  return std::visit(
      []<class E>(const E& e) -> std::optional<AboutMutant> {
        if constexpr (requires {
                        { e.mutant } -> std::convertible_to<MutantId>;
                      })
          return AboutMutant{e.subprogram, e.mutant};
        else if constexpr (requires { e.mutant.id; })
          return AboutMutant{e.subprogram, e.mutant.id};
        else
          return std::nullopt;
      },
      event);
}

}  // namespace pet::viz
