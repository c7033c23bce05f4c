#include "verify/bitmap/objections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/util/printable.h"
#include "verify/bitmap/domain.h"
#include "verify/rounding/comparisons.h"
#include "verify/rounding/conditioning.h"
#include "verify/rounding/float_range.h"
#include "verify/rounding/rounding_errors.h"
#include "verify/rounding/rounding_risk.h"
#include "verify/values/infinite_arithmetic.h"
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

// What the mutant computes in its own way and somebody sees: outputs, and what operators without
// a meaning of ours read.
std::vector<EqualTensors> equal_tensors(const Found& found, const ValueTable& table) {
  const Graph& original = found.programs.original().graph();
  const Graph& mutant = found.programs.mutant().graph();
  std::vector<EqualTensors> out;
  for (std::size_t i = 0; i < found.marks.size(); ++i) {
    const NodeId theirs = original.outputs()[i];
    const NodeId mine = mutant.outputs()[i];
    const bool compared =
        !found.marks[i].empty() || found.outputs[i].outcome == Outcome::Equivalent;
    if (compared && found.computed.of_original(theirs) != found.computed.of_mutant(mine))
      out.push_back({theirs, mine, found.marks[i]});
  }
  for (const NodeId id : mutant.ids()) {
    if (!is_opaque(mutant.node(id))) continue;
    for (const NodeId operand : mutant.node(id).operands) {
      const ValueId value = table.of_mutant(operand);
      if (!table.is_new(value) && found.computed.is_new(found.computed.of_mutant(operand)))
        out.push_back({table.value(value).node, operand, {}});
    }
  }
  return out;
}

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

Result<std::string> objection_to_errors(const Found& found, const ValueTable& table, bool strays) {
  const Graph& original = found.programs.original().graph();
  const Graph& mutant = found.programs.mutant().graph();
  const SumsOfProgram theirs = sums_of(original);
  if (!strays && !is_risky(original, mutant, table, theirs, sums_of(mutant))) return std::string{};
  auto tensors = equal_tensors(found, table);
  add_rejoined(mutant, table, tensors);
  for (EqualTensors& pair : tensors) pair.cuts = theirs.cuts[pair.original.index()];
  const Opened programs(found.programs, table);
  const Asking asking(found.options, "drawn errors");
  const auto grown =
      growth_of_errors(programs.code(), tensors, Digester("errors").add(found.proof_seed).finish(),
                       found.options.threads, found.options.stop);
  if (!grown) return grown.error();
  if (grown->worst > kLargestGrowth) {
    if (!std::isfinite(grown->worst)) {
      return std::string(
          "ill-conditioned: rounding errors may be all that is left of the original");
    }
    return fmt::format(
        "ill-conditioned: rounding errors up to {:.3g} times larger than the original's",
        grown->worst);
  }
  if (!grown->unseen) return std::string{};
  return fmt::format(
      "rounding: '{}' has no number at any of the inputs that were drawn to look at it",
      printable(mutant.node(*grown->unseen).name));
}

}  // namespace

bool needs_drawn_errors(const Graph& original, const Graph& mutant, const ValueTable& table) {
  return is_risky(original, mutant, table, sums_of(original), sums_of(mutant));
}

Result<std::string> objection_to_domain(const Found& found, const ValueTable& table,
                                        ResidueStore& store) {
  const Asking asking(found.options, "where both are defined");
  return domain_violation(found.programs.original().graph(), found.programs.mutant().graph(), table,
                          store, equal_tensors(found, table), found.options.stop);
}

Result<Objection> objection_to_all(const Found& found, const ProvedPair& pair) {
  auto domain = objection_to_domain(found, pair.table, pair.store);
  if (!domain) return std::move(domain).error();
  if (!domain->empty()) return Objection{*std::move(domain)};
  auto infinite = infinite_arithmetic(pair.original, pair.mutant, found.options.stop);
  if (!infinite) return std::move(infinite).error();
  if (!infinite->empty()) return Objection{*std::move(infinite)};
  auto compared = objection_to_comparisons(pair.mutant, pair.table, found.computed, pair.store);
  if (!compared) return std::move(compared).error();
  if (!compared->empty()) return Objection{*std::move(compared)};
  const auto grown = [&] {
    const Asking asking(found.options, "sizes of sums");
    return growth(pair, found.options.threads, found.options.stop);
  }();
  if (!grown) return grown.error();
  if (grown->worst > kLargestGrowth) {
    return Objection{
        fmt::format("ill-conditioned: sums up to {:.3g} times larger than the original's",
                    grown->worst),
        grown->worst};
  }
  if (grown->both_beyond_floats) {
    const Opened programs(found.programs, pair.table);
    auto beyond =
        results_beyond_floats(programs.code(), Digester("floats").add(found.proof_seed).finish(),
                              found.options.threads, found.options.stop);
    if (!beyond) return std::move(beyond).error();
    if (!beyond->empty()) return Objection{*std::move(beyond), grown->worst};
  }
  auto errors = objection_to_errors(found, pair.table, grown->strays);
  if (!errors) return std::move(errors).error();
  return Objection{*std::move(errors), grown->worst};
}

}  // namespace pet
