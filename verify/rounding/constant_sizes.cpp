#include "verify/rounding/constant_sizes.h"

#include <algorithm>

namespace pet {

ConstantSizes::ConstantSizes(const Graph& graph) : wanted_(graph.nodes().size(), 0) {
  std::vector<char> is_sum(graph.nodes().size(), 0);
  for (const NodeId id : graph.ids()) {
    const Node& node = graph.node(id);
    const auto of_constants = [&](NodeId operand) { return is_sum[operand.index()] != 0; };
    const bool sums = graph.has_meaning(id) && graph.meaning(id).applications.empty() &&
                      std::ranges::all_of(node.operands, of_constants);
    if (node.constant() != nullptr || sums) {
      is_sum[id.index()] = 1;
      continue;
    }
    for (const NodeId operand : node.operands) {
      if (of_constants(operand) && graph.node(operand).op() != nullptr)
        wanted_[operand.index()] = 1;
    }
  }
}

std::vector<char> ConstantSizes::wanted_beside(std::vector<char> others, const SizeRun& run) const {
  const auto touched = run.touched(others);
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (wanted_[i] != 0 && touched[i] != 0) others[i] = 1;
  }
  return others;
}

void ConstantSizes::keep(const SizeRun& run, NodeId id, const Sizes& sizes) {
  if (wanted_[id.index()] != 0 && run.fits_floats(id)) found_.emplace(id, sizes);
}

void ConstantSizes::add_to(std::vector<char>& known) const {
  for (const auto& [id, sizes] : found_) known[id.index()] = 1;
}

const Sizes* ConstantSizes::of(NodeId id) const {
  const auto it = found_.find(id);
  return it == found_.end() ? nullptr : &it->second;
}

}  // namespace pet
