#include "core/search/candidate.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/program/passes/arrange.h"

namespace pet {
namespace {

std::vector<AxisOrder> canonical_orders(const Graph& graph, std::span<const NodeId> values,
                                        const std::vector<AxisOrder>& orders) {
  std::vector<AxisOrder> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& shape = graph.node(values[i]).type.shape;
    out.push_back(shape ? canonical_order(*shape, orders[i]) : orders[i]);
  }
  return out;
}

}  // namespace

Result<Candidate> candidate_of(const Graph& subprogram, Graph program, Lineage lineage) {
  auto arranged = arrange(program, Borders::Free);
  if (!arranged) return std::move(arranged).error();
  Candidate out;
  out.program = std::move(program);
  out.arranged = std::move(arranged->graph);
  out.inputs = canonical_orders(subprogram, subprogram.inputs(), arranged->inputs);
  out.outputs = canonical_orders(subprogram, subprogram.outputs(), arranged->outputs);
  out.lineage = std::move(lineage);
  return out;
}

bool keeps_orders(const Candidate& candidate) {
  const auto all_identity = [](const std::vector<AxisOrder>& orders) {
    return std::all_of(orders.begin(), orders.end(), is_identity);
  };
  return all_identity(candidate.inputs) && all_identity(candidate.outputs);
}

}  // namespace pet
