#include "verify/rounding/objections.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>

#include "core/util/printable.h"
#include "verify/rounding/comparisons.h"
#include "verify/rounding/conditioning.h"
#include "verify/rounding/float_range.h"
#include "verify/rounding/rounding_errors.h"
#include "verify/rounding/rounding_risk.h"
#include "verify/values/step_limit.h"

namespace pet {
namespace {

// Both programs with what operators without a meaning yield as further inputs, drawn alike where
// it is the same value: what follows from it is computed in floats, too.
class Opened {
 public:
  Opened(const PairCode& programs, const ValueTable& table)
      : original_(
            opened(programs.original().graph(), [&](NodeId id) { return table.of_original(id); })),
        mutant_(opened(programs.mutant().graph(), [&](NodeId id) { return table.of_mutant(id); })),
        code_(original_, mutant_) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  const PairCode& code() const { return code_; }

 private:
  template <class ValueOf>
  static Graph opened(const Graph& graph, const ValueOf& value_of) {
    // Longer than the name of any input, which would be drawn alike and cancel. Both programs have
    // the same inputs.
    std::size_t longest = 0;
    for (const NodeId id : graph.inputs())
      longest = std::max(longest, graph.node(id).input()->name.size());
    const std::string prefix(longest + 1, '.');
    std::map<NodeId, std::string> names;
    for (const NodeId id : graph.ids()) {
      if (is_opaque(graph.node(id)) && graph.node(id).type.shape)
        names.emplace(id, fmt::format("{}{}", prefix, value_of(id).index()));
    }
    return graph.opened_at(names);
  }

  Graph original_;
  Graph mutant_;
  PairCode code_;
};

// What follows may hide, by a mask or a bound, that nothing is left of a tensor that both have.
void add_rejoined(const Graph& mutant, const ValueTable& table,
                  std::vector<EqualTensors>& tensors) {
  const auto needed = mutant.needed_by_outputs();
  for (const NodeId id : mutant.ids()) {
    if (needed[id.index()] != 0 && table.rejoins(id))
      tensors.push_back({table.value(table.of_mutant(id)).node, id, {}});
  }
}

// Whether drawn errors may tell what sizes did not. Of small programs more is asked for: there it
// costs next to nothing, and what sizes do see may be hidden from them by functions.
bool is_risky(const Graph& original, const Graph& mutant, const ValueTable& table,
              const SumsOfProgram& theirs, const SumsOfProgram& mine) {
  constexpr double kSmall = 0x1p20;  // steps
  if (has_high_powers(mine, mutant, table) ||
      has_own_constants(original, mutant, table, OwnConstants::Far) ||
      may_cancel_unseen(theirs, mine) || may_leave_domain(mutant, table))
    return true;
  return evaluation_steps(original) + evaluation_steps(mutant) <= kSmall &&
         (may_cancel_in_one(theirs, mine) ||
          has_own_constants(original, mutant, table, OwnConstants::All));
}

// The questions about one pair, in order, each with what earlier ones found.
class Questions {
 public:
  Questions(const Compared& pair, const ProofOptions& options)
      : pair_(pair),
        original_(pair.original()),
        mutant_(pair.mutant()),
        table_(pair.residues().table()),
        options_(options) {}

  Result<Objection> first_objection() {
    struct Question {
      Floats from;
      Result<std::string> (Questions::*asked)();
    };
    static constexpr std::array kInOrder = {Question{Floats::Sizes, &Questions::comparisons},
                                            Question{Floats::Sizes, &Questions::sizes},
                                            Question{Floats::Drawn, &Questions::range},
                                            Question{Floats::Drawn, &Questions::drawn_errors}};
    for (const Question& question : kInOrder) {
      if (question.from > options_.floats) continue;
      auto reason = (this->*question.asked)();
      if (!reason) return std::move(reason).error();
      if (!reason->empty()) return Objection{*std::move(reason), growth_.worst};
    }
    if (options_.stop.stop_requested())
      return Error{"stopped before the proof was finished", ErrorKind::Stopped};
    return Objection{{}, growth_.worst};
  }

 private:
  Result<std::string> comparisons() {
    const Asking asking(options_, "comparisons of values with themselves");
    return objection_to_comparisons(mutant_, table_, pair_.computed(), pair_.residues().store());
  }

  Result<std::string> sizes() {
    const Asking asking(options_, "sizes of sums");
    ResidueComparison& residues = pair_.residues();
    const auto grown = growth(
        {original_, mutant_, table_, residues.store(), residues.evaluator(), residues.originals()},
        options_.threads, options_.stop);
    if (!grown) return grown.error();
    growth_ = *grown;
    if (growth_.worst <= kLargestGrowth) return std::string{};
    return fmt::format("ill-conditioned: sums up to {:.3g} times larger than the original's",
                       growth_.worst);
  }

  Result<std::string> range() {
    if (!growth_.both_beyond_floats) return std::string{};
    const Asking asking(options_, "the range of floats");
    const Opened programs(pair_.code(), table_);
    return results_beyond_floats(programs.code(), Digester("floats").add(pair_.seed()).finish(),
                                 options_.threads, options_.stop);
  }

  Result<std::string> drawn_errors() {
    const SumsOfProgram theirs = sums_of(original_);
    if (!growth_.strays && !is_risky(original_, mutant_, table_, theirs, sums_of(mutant_)))
      return std::string{};
    auto tensors = pair_.equal_tensors();
    add_rejoined(mutant_, table_, tensors);
    const Opened programs(pair_.code(), table_);
    const Asking asking(options_, "drawn errors");
    const auto grown = growth_of_errors(
        programs.code(), tensors, theirs.cuts, Digester("errors").add(pair_.seed()).finish(),
        options_.threads, options_.stop, [&](double fraction) { asking.is_at(fraction); });
    if (!grown) return grown.error();
    if (grown->worst > kLargestGrowth) {
      if (!std::isfinite(grown->worst))
        return std::string(
            "ill-conditioned: rounding errors may be all that is left of the original");
      return fmt::format(
          "ill-conditioned: rounding errors up to {:.3g} times larger than the original's",
          grown->worst);
    }
    if (!grown->unseen) return std::string{};
    return fmt::format(
        "rounding: '{}' has no number at any of the inputs that were drawn to look at it",
        printable(mutant_.node(*grown->unseen).name));
  }

  const Compared& pair_;
  const Graph& original_;
  const Graph& mutant_;
  const ValueTable& table_;  // with the values joined that are equal
  const ProofOptions& options_;
  Growth growth_;
};

}  // namespace

bool needs_drawn_errors(const Graph& original, const Graph& mutant, const ValueTable& table) {
  return is_risky(original, mutant, table, sums_of(original), sums_of(mutant));
}

Result<Objection> objection_to_floats(const Compared& pair, const ProofOptions& options) {
  // Of one program floats make one thing.
  if (options.floats == Floats::None || pair.is_one_program()) return Objection{};
  return Questions(pair, options).first_objection();
}

}  // namespace pet
