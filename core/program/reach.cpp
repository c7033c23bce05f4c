#include "core/program/reach.h"

#include <algorithm>

namespace pet {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
using Bits = std::vector<std::uint64_t>;

void include(Bits& all, const Bits& more) {
  for (std::size_t i = 0; i < all.size(); ++i) all[i] |= more[i];
}

}  // namespace

Reach::Reach(const Graph& program, const std::vector<NodeId>& linear) {
  std::vector<std::size_t> number(program.nodes().size(), kNone);
  for (std::size_t i = 0; i < linear.size(); ++i) number[linear[i].index()] = i;
  const Bits nothing((linear.size() + 63) / 64, 0);
  Rows above(program.nodes().size(), nothing);
  Rows through_others(program.nodes().size(), nothing);
  for (const NodeId id : program.ids()) {
    for (const NodeId operand : program.node(id).operands) {
      const std::size_t from = operand.index();
      include(above[id.index()], above[from]);
      const bool is_linear = number[from] != kNone;
      include(through_others[id.index()], is_linear ? through_others[from] : above[from]);
      if (is_linear)
        above[id.index()][number[from] / 64] |= std::uint64_t{1} << (number[from] % 64);
    }
  }
  for (const NodeId id : linear) {
    above_.push_back(std::move(above[id.index()]));
    above_through_others_.push_back(std::move(through_others[id.index()]));
  }
}

bool Reach::is_convex(const std::vector<std::size_t>& set) const {
  const auto in_set = [&](std::size_t i) { return std::binary_search(set.begin(), set.end(), i); };
  for (std::size_t w = set.front() + 1; w < set.back(); ++w) {
    if (in_set(w)) continue;
    const bool below =
        std::any_of(set.begin(), set.end(), [&](std::size_t i) { return depends(w, i); });
    if (below && std::any_of(set.begin(), set.end(), [&](std::size_t i) { return depends(i, w); }))
      return false;
  }
  for (const std::size_t later : set) {
    for (const std::size_t earlier : set) {
      if (depends_through_others(later, earlier)) return false;
    }
  }
  return true;
}

}  // namespace pet
