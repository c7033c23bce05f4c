#include "verify/places/objections.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/util/rng.h"
#include "verify/bitmap/residue_comparison.h"
#include "verify/places/made_of.h"
#include "verify/places/reads.h"
#include "verify/places/tame.h"
#include "verify/rounding/conditioning.h"
#include "verify/rounding/objections.h"
#include "verify/values/infinite_arithmetic.h"
#include "verify/values/step_limit.h"
#include "verify/values/totality.h"

namespace pet::places {
namespace {

bool is_negative_somewhere(const Coef& coef) {
  return sgn(coef.scale) < 0 || std::ranges::any_of(coef.tables, [](const AxisTable& table) {
           return std::ranges::any_of(table.values, [](const Rational& x) { return sgn(x) < 0; });
         });
}

bool has_negative_numbers(const Tensor& tensor) {
  return ValueTable::role_of(tensor, ValueTable::Weights::Symbols, true) != ConstantRole::Symbol &&
         tensor.type().dtype == DType::Float &&
         std::ranges::any_of(tensor.floats(), [](float x) { return x < 0; });
}

// Whether the node may make much of small differences: it subtracts, or applies a function that
// jumps or goes by how several numbers differ (a row's spread, a comparison).
bool magnifies(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const Meaning& meaning = graph.meaning(id);
  const bool has_numbers = std::ranges::any_of(node.operands, [&](NodeId operand) {
    const Tensor* tensor = graph.node(operand).constant();
    return tensor != nullptr && has_negative_numbers(*tensor);
  });
  return has_numbers ||
         std::ranges::any_of(meaning.applications,
                             [](const Application& one) {
                               return one.window.has_value() || one.elements.size() > 1 ||
                                      one.function->jumps != Jumps::Nowhere;
                             }) ||
         std::ranges::any_of(meaning.sum.terms, [](const Term& term) {
           return !term.factors.empty() && is_negative_somewhere(term.coef);
         });
}

// Where the original computes one number in two ways, what its second program rounds otherwise
// before (`from`: by node) may be all that is left of their difference.
bool may_leave_a_difference(const Graph& graph, std::vector<char> from) {
  for (const NodeId id : graph.ids()) {
    const auto& operands = graph.node(id).operands;
    const bool follows =
        std::ranges::any_of(operands, [&](NodeId operand) { return from[operand.index()] != 0; });
    if (follows && graph.has_meaning(id) && magnifies(graph, id)) return true;
    if (follows) from[id.index()] = 1;
  }
  return false;
}

class WholePair {
 public:
  WholePair(const Graph& original, const Graph& mutant, const Walked& walked,
            const ProofOptions& options)
      : original_(original), mutant_(mutant), walked_(walked), options_(options) {}

  // Element by element of the outputs; where that takes too long functions count as applied to
  // whole tensors, as they do for the bitmap engine then. Such as are applied to constants alone in
  // a place, or before it, are applied by the original, too (walk.cpp).
  Result<std::string> undefined() const {
    const Asking asking(options_, "where both are defined");
    for (const ShownPlace& shown : walked_.places)
      if (multiplies_by_zero(shown.place.mutant)) return std::string("a place multiplies by 0");
    const auto made = made_of(original_, mutant_, walked_.table, options_.stop);
    if (!made) return made.error();
    if (*made == MadeOf::MaybeMore)
      return std::string("an output may be made of more of what is not defined everywhere");
    // Of operators without a meaning nobody knows where they are defined.
    const auto partial =
        *made == MadeOf::NoMore ? behind_opaque(original_) : behind_partial_functions(original_);
    for (const ShownPlace& shown : walked_.places) {
      std::vector<char> asked;
      for (const ValueId value : shown.place.boundary)
        asked.push_back(partial[walked_.table.value(value).node.index()]);
      if (!reads_no_more(shown.place, asked, options_.stop))
        return std::string("a place may read more of what is not defined everywhere");
    }
    return std::string{};
  }

  Result<Looked> floats() const {
    if (may_round_twice(original_, mutant_, walked_))
      return Looked{"a value is computed twice, and rounded in two ways"};
    std::vector<char> rounded(original_.nodes().size(), 0);  // otherwise than by the original
    bool any = false;
    for (const ShownPlace& shown : walked_.places) {
      if (is_rounded_alike(shown.place.original, shown.place.mutant)) continue;
      rounded[shown.original.index()] = 1;
      any = true;
    }
    if (!any) return Looked{};
    if (options_.floats == Floats::Drawn && needs_drawn_errors(original_, mutant_, walked_.table))
      return Looked{"rounding takes a look at whole programs"};
    return sizes(may_leave_a_difference(original_, std::move(rounded)));
  }

 private:
  // Differences: whether something behind a place may leave nothing but rounding.
  Result<Looked> sizes(bool differences) const {
    const bool are_tame =
        !differences && std::ranges::all_of(walked_.places, [](const ShownPlace& shown) {
          return is_tame(shown.place.original, shown.place.mutant);
        });
    if (are_tame && stays_within_floats(original_) && stays_within_floats(mutant_)) return Looked{};
    const auto grown = grown_by_sizes();
    if (!grown) return grown.error();
    if (grown->strays || grown->both_beyond_floats || !(grown->worst <= kLargestGrowth))
      return Looked{"the sizes of sums take a look at whole programs"};
    return Looked{{}, grown->worst};
  }

  Result<Growth> grown_by_sizes() const {
    const Asking asking(options_, "sizes of sums");
    const PairCode code(original_, mutant_);
    const Digest key = Digester("places").add(fresh_entropy()).finish();
    // For what follows from constants: nothing else is asked for, and each of these seldom twice.
    constexpr std::size_t kPrimes = 3;
    ProofOptions how = options_;
    how.memory_bytes = std::min(how.memory_bytes, std::size_t{1} << 27);
    ResidueComparison residues(code, walked_.table, key, kPrimes, how);
    return growth({original_, mutant_, walked_.table, residues.store(), residues.evaluator(),
                   residues.originals(), true},
                  options_.threads, options_.stop);
  }

  const Graph& original_;
  const Graph& mutant_;
  const Walked& walked_;
  const ProofOptions& options_;
};

}  // namespace

bool are_large(const Graph& original, const Graph& mutant) {
  constexpr double kLarge = 0x1p24;  // steps: as bitmap/domain has it
  return evaluation_steps(original) + evaluation_steps(mutant) > kLarge;
}

Result<std::string> may_be_undefined(const Graph& original, const Graph& mutant,
                                     const Walked& walked, const ProofOptions& options) {
  auto why = WholePair(original, mutant, walked, options).undefined();
  if (!why || !why->empty()) return why;
  return infinite_arithmetic(original, mutant, options.stop);
}

Result<Looked> look_at_floats(const Graph& original, const Graph& mutant, const Walked& walked,
                              const ProofOptions& options) {
  if (options.floats == Floats::None) return Looked{};
  return WholePair(original, mutant, walked, options).floats();
}

}  // namespace pet::places
