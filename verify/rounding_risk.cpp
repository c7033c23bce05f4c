#include "verify/rounding_risk.h"

#include <algorithm>

#include "verify/summands.h"

namespace pet {

bool may_cancel_unseen(const Graph& original, const Graph& mutant) {
  const auto known = sums_by_output(original);
  const auto found = sums_by_output(mutant);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!std::ranges::includes(known[i], found[i])) return true;
  }
  return false;
}

// More than three ordinary numbers, with what sizes allow constants to be, may leave the floats.
bool has_high_powers(const Graph& graph) { return highest_degree(graph) >= kMostDegree; }

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
      if (application.function->totality == Totality::Partial && !application.window &&
          std::any_of(application.elements.begin(), application.elements.end(), reads_own))
        return true;
    }
    if (!meaning.applications.empty()) continue;
    const bool sums = table.is_new(table.computed_by_mutant(id)) && !sums_nothing(meaning);
    const bool follows = std::any_of(operands.begin(), operands.end(),
                                     [&](NodeId operand) { return own[operand.index()] != 0; });
    own[id.index()] = sums || follows ? 1 : 0;
  }
  return false;
}

}  // namespace pet
