#include "verify/rounding/rounding_risk.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "verify/values/totality.h"

namespace pet {

bool may_cancel_unseen(const SumsOfProgram& original, const SumsOfProgram& mutant) {
  for (std::size_t i = 0; i < mutant.by_output.size(); ++i) {
    if (!std::ranges::includes(original.by_output[i], mutant.by_output[i])) return true;
  }
  return false;
}

bool may_cancel_in_one(const SumsOfProgram& original, const SumsOfProgram& mutant) {
  for (std::size_t i = 0; i < mutant.of_one_by_output.size(); ++i) {
    if (!std::ranges::includes(original.of_one_by_output[i], mutant.of_one_by_output[i]))
      return true;
  }
  return false;
}

// Of three numbers one may be what keeps the other two within the floats, of two none.
bool has_high_powers(const SumsOfProgram& sums, const Graph& mutant, const ValueTable& table) {
  const auto needed = mutant.needed_by_outputs();
  const auto ids = mutant.ids();
  return std::ranges::any_of(ids, [&](NodeId id) {
    return needed[id.index()] != 0 && sums.degrees[id.index()] >= kMostDegree &&
           table.is_new(table.computed_by_mutant(id));
  });
}

bool has_own_constants(const Graph& original, const Graph& mutant, const ValueTable& table,
                       OwnConstants which) {
  constexpr float kOrdinary = 0x1p19F;
  const auto counts = [&](float x) {
    const float size = std::abs(x);
    if (!std::isfinite(x)) return false;
    return which == OwnConstants::Far ? size > kOrdinary : size != 0 && size != 1;
  };
  const auto floats_of = [](const Node& node) {
    const Tensor* tensor = node.constant();
    return tensor != nullptr && tensor->type().dtype == DType::Float ? tensor->floats()
                                                                     : std::span<const float>{};
  };
  std::set<float> theirs;
  for (const NodeId id : original.ids()) {
    for (const float x : floats_of(original.node(id))) {
      if (counts(x)) theirs.insert(std::abs(x));
    }
  }
  const auto needed = mutant.needed_by_outputs();
  return std::ranges::any_of(mutant.ids(), [&](NodeId id) {
    if (needed[id.index()] == 0 || !table.is_new(table.computed_by_mutant(id))) return false;
    return std::ranges::any_of(mutant.node(id).operands, [&](NodeId operand) {
      return std::ranges::any_of(floats_of(mutant.node(operand)), [&](float x) {
        return counts(x) && !theirs.contains(std::abs(x));
      });
    });
  });
}

bool may_leave_domain(const Graph& mutant, const ValueTable& table) {
  const auto needed = mutant.needed_by_outputs();
  std::vector<char> own(mutant.nodes().size(), 0);  // sums in the mutant's own way, or follows one
  for (const NodeId id : mutant.ids()) {
    if (needed[id.index()] == 0 || !mutant.has_meaning(id)) continue;
    const auto& operands = mutant.node(id).operands;
    const Meaning& meaning = mutant.meaning(id);
    const auto reads_own = [&](const Access& access) {
      const auto k = static_cast<std::size_t>(access.operand);
      return k < operands.size() && own[operands[k].index()] != 0;
    };
    for (const Application& application : meaning.applications) {
      // What looks at a whole window has its own way to stay defined.
      if (is_partial(application) && !application.window &&
          std::any_of(application.elements.begin(), application.elements.end(), reads_own))
        return true;
    }
    const bool sums = table.is_new(table.computed_by_mutant(id)) && !sums_nothing(meaning);
    const bool follows = std::any_of(operands.begin(), operands.end(),
                                     [&](NodeId operand) { return own[operand.index()] != 0; });
    own[id.index()] = sums || follows ? 1 : 0;
  }
  return false;
}

}  // namespace pet
