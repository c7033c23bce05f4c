#include "core/cost/operator_costs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "core/ir/builder.h"

namespace pet {
namespace {

constexpr double kMostWeights = 0x1p28;  // elements that are made for one operator

std::shared_ptr<const Tensor> ones(const Shape& shape) {
  std::vector<float> values(static_cast<std::size_t>(count(shape)), 1);
  return std::make_shared<const Tensor>(Tensor::of_floats(shape, std::move(values)));
}

bool may_be_a_weight(const TensorType& type) {
  return type.dtype == DType::Float && static_cast<double>(count(*type.shape)) <= kMostWeights;
}

}  // namespace

PricedOperator priced(const Graph& graph, NodeId id, const std::vector<char>& depends) {
  const Node& node = graph.node(id);
  PricedOperator out{*node.op(), {}, {}, false};
  for (const NodeId operand : node.operands) {
    out.operands.push_back(graph.node(operand).type);
    out.weights.push_back(static_cast<char>(depends[operand.index()] == 0));
  }
  return out;
}

bool has_own_layout(const Graph& graph) {
  return std::ranges::any_of(graph.nodes(), [](const Node& node) {
    return node.op() != nullptr && node.op()->def->stand_in != nullptr;
  });
}

Result<Graph> program_of(const PricedOperator& priced) {
  GraphBuilder builder;
  std::vector<NodeId> operands;
  for (std::size_t i = 0; i < priced.operands.size(); ++i) {
    const TensorType& type = priced.operands[i];
    if (!type.shape) return Error{"a shape that is not known", ErrorKind::Unsupported};
    const bool is_weight = priced.weights[i] != 0 && may_be_a_weight(type);
    operands.push_back(is_weight ? builder.add_constant(ones(*type.shape))
                                 : builder.add_input(fmt::format("in{}", i), type));
  }
  const auto made = builder.add(priced.op, std::move(operands));
  if (!made) return made.error();
  builder.add_output(*made);
  return std::move(builder).build();
}

Digest digest_of(const PricedOperator& priced) {
  Digester digester("priced operator");
  digest_into(digester, priced.op);
  digester.add(priced.operands.size());
  for (std::size_t i = 0; i < priced.operands.size(); ++i)
    digester.add(to_string(priced.operands[i])).add(static_cast<std::uint64_t>(priced.weights[i]));
  return digester.add(static_cast<std::uint64_t>(priced.among_own_layout)).finish();
}

std::string to_string(const PricedOperator& priced) {
  std::vector<std::string> operands;
  for (const TensorType& type : priced.operands) operands.push_back(to_string(type));
  return fmt::format("{}({})", priced.op.def->name, fmt::join(operands, ", "));
}

double EstimatedCosts::ms(const PricedOperator& priced) {
  const auto [known, is_new] = known_.emplace(digest_of(priced), machine_.ms_per_operator);
  if (!is_new) return known->second;
  const auto program = program_of(priced);
  if (!program) return known->second;
  const NodeId id = program->outputs().front();
  known->second = is_free_view(*program, id) ? 0 : analytic_ms(work_of(*program, id), machine_);
  return known->second;
}

std::unique_ptr<OperatorCosts> estimated_costs(std::size_t threads) {
  MachineModel machine;
  machine.threads = static_cast<double>(std::max<std::size_t>(threads, 1));
  return std::make_unique<EstimatedCosts>(machine);
}

double sum_ms(const Graph& graph, OperatorCosts& costs) {
  const auto depends = graph.depends_on_inputs();
  const auto needed = graph.needed_by_outputs();
  const bool own_layout = has_own_layout(graph);
  double out = 0;
  for (const NodeId id : graph.ids()) {
    if (graph.node(id).op() == nullptr || needed[id.index()] == 0 || depends[id.index()] == 0)
      continue;
    PricedOperator one = priced(graph, id, depends);
    one.among_own_layout = own_layout;
    out += costs.ms(one);
  }
  return out;
}

}  // namespace pet
