#include "core/rewrite/reachable.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/rewrite/draw.h"

namespace pet::rules {
namespace {

using Operators = std::set<const OpDef*>;

Operators operators_of(const Graph& program) {
  Operators out;
  const auto depends = program.depends_on_inputs();
  for (const NodeId id : program.ids()) {
    const Op* op = program.node(id).op();
    if (op != nullptr && depends[id.index()] != 0) out.insert(op->def);
  }
  return out;
}

struct Sides {
  Operators source, target;
};

// Nothing: no sizes were found at which it makes sense.
std::optional<Sides> sides_of(const Rule& rule) {
  constexpr std::uint64_t kAny = 1;
  Rng rng(kAny);
  const auto drawn = draw(rule, rng);
  if (!drawn || !drawn->instance) return std::nullopt;
  return Sides{operators_of(drawn->instance->source), operators_of(drawn->instance->target)};
}

}  // namespace

std::vector<const Rule*> reachable(const std::vector<const Rule*>& rules, const Graph& program) {
  Operators there = operators_of(program);
  std::vector<std::optional<Sides>> sides;
  for (const Rule* rule : rules) sides.push_back(sides_of(*rule));
  std::vector<char> is_in(rules.size());
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (is_in[i] != 0 || (sides[i] && !std::ranges::includes(there, sides[i]->source))) continue;
      is_in[i] = 1;
      grows = true;
      if (sides[i]) there.insert(sides[i]->target.begin(), sides[i]->target.end());
    }
  }
  std::vector<const Rule*> out;
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (is_in[i] != 0) out.push_back(rules[i]);
  return out;
}

}  // namespace pet::rules
