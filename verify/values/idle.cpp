#include "verify/values/idle.h"

#include <algorithm>

#include "core/program/subprogram.h"
#include "verify/values/value_table.h"

namespace pet {

std::optional<Graph> without_idle(const Graph& program) {
  const auto needed = program.needed_by_outputs();
  const auto is_idle = [&](NodeId id) {
    return needed[id.index()] == 0 && program.node(id).op() != nullptr;
  };
  if (std::ranges::none_of(program.ids(), is_idle)) return std::nullopt;
  return without_unused_operators(program);
}

std::optional<NodeId> idle_and_new(const Graph& original, const Graph& mutant, bool bind_weights) {
  const auto needed = mutant.needed_by_outputs();
  const auto is_suspect = [&](NodeId id) {
    return needed[id.index()] == 0 && is_opaque(mutant.node(id));
  };
  if (std::ranges::none_of(mutant.ids(), is_suspect)) return std::nullopt;
  ValueTable values(original, mutant,
                    bind_weights ? ValueTable::Weights::Bound : ValueTable::Weights::Symbols);
  while (values.next_of_mutant()) continue;
  for (const NodeId id : mutant.ids()) {
    if (is_suspect(id) && values.is_new(values.of_mutant(id))) return id;
  }
  return std::nullopt;
}

}  // namespace pet
