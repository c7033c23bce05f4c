#include "app/pet/report_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/program/passes/arrange.h"
#include "core/program/subprogram.h"

namespace pet::app {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(NodeId id) { return fmt::format("%{}", id.value); }

// The operators between a program's values.
std::vector<NodeId> between(const Graph& graph, const std::vector<NodeId>& inputs,
                            const std::vector<NodeId>& outputs) {
  std::set<NodeId> found;
  std::vector<NodeId> open = outputs;
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    const bool outside = std::ranges::find(inputs, id) != inputs.end();
    if (outside || !graph.has_meaning(id) || !found.insert(id).second) continue;
    const auto& operands = graph.node(id).operands;
    open.insert(open.end(), operands.begin(), operands.end());
  }
  return {found.begin(), found.end()};
}

// Their names by their bits: mutants do not keep names.
using Names = std::map<Digest, std::string>;

Names constants_of(const Graph& graph) {
  Names out;
  for (const Node& node : graph.nodes()) {
    if (node.constant() != nullptr) out.emplace(node.constant()->digest(), node.name);
  }
  return out;
}

// A program of one place, its weight programs drawn together into one constant each.
class ProgramWriter {
 public:
  // `known`: the constants of the original program there.
  ProgramWriter(const Graph& graph, const Names& known)
      : graph_(graph), known_(known), depends_(graph.depends_on_inputs()) {}

  Json write(const std::vector<std::string>& inputs) {
    Json out{{"inputs", Json::array()}, {"constants", Json::array()}, {"nodes", Json::array()}};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const NodeId id = graph_.inputs()[i];
      out["inputs"].push_back(
          {{"id", name_of(id)}, {"name", inputs[i]}, {"type", to_string(graph_.node(id).type)}});
    }
    std::set<NodeId> constants;
    for (const NodeId id : graph_.ids()) {
      const Node& node = graph_.node(id);
      if (depends_[id.index()] == 0 || node.op() == nullptr) continue;
      Json operands = Json::array();
      for (const NodeId operand : node.operands) {
        if (depends_[operand.index()] == 0 && constants.insert(operand).second)
          out["constants"].push_back(constant(operand));
        operands.push_back(name_of(operand));
      }
      out["nodes"].push_back(
          {{"id", name_of(id)},
           {"op", to_string(*node.op())},
           {"operands", std::move(operands)},
           {"type", to_string(node.type)},
           {"view", graph_.has_meaning(id) && is_data_movement(graph_.meaning(id))}});
    }
    out["outputs"] = Json::array();
    for (const NodeId id : graph_.outputs()) out["outputs"].push_back(name_of(id));
    return out;
  }

 private:
  Json constant(NodeId id) const {
    std::set<NodeId> seen;
    std::vector<NodeId> open = {id};
    Json from = Json::array();
    std::size_t operators = 0;
    while (!open.empty()) {
      const NodeId at = open.back();
      open.pop_back();
      if (!seen.insert(at).second) continue;
      const Node& node = graph_.node(at);
      if (node.op() != nullptr) ++operators;
      if (node.constant() != nullptr) {
        const auto known = known_.find(node.constant()->digest());
        if (known != known_.end()) from.push_back(known->second);
      }
      open.insert(open.end(), node.operands.begin(), node.operands.end());
    }
    const Node& node = graph_.node(id);
    Json out{{"id", name_of(id)},
             {"type", to_string(node.type)},
             {"name", node.name},
             {"from", std::move(from)},
             {"operators", operators}};
    const Tensor* tensor = node.constant();
    const bool is_fixed = tensor != nullptr && out["from"].empty();
    if (is_fixed && tensor->type().dtype == DType::Float && count(tensor->shape()) == 1)
      out["value"] = tensor->floats().front();
    return out;
  }

  const Graph& graph_;
  const Names& known_;
  std::vector<char> depends_;
};

std::vector<std::string> names_of(const Graph& graph, const std::vector<NodeId>& values) {
  std::vector<std::string> out;
  for (const NodeId id : values) out.push_back(graph.node(id).name);
  return out;
}

Json layouts(const std::vector<std::string>& names, const std::vector<AxisOrder>& orders) {
  Json out = Json::array();
  for (std::size_t i = 0; i < std::min(names.size(), orders.size()); ++i) {
    if (!is_identity(orders[i])) out.push_back({{"value", names[i]}, {"order", orders[i]}});
  }
  return out;
}

Json place_of(const Graph& model, const Choice& choice, const explain::SearchRecord& record) {
  const auto nodes = between(model, choice.inputs, choice.outputs);
  const Subprogram before = extract(model, nodes);
  const Names known = constants_of(before.program);
  const auto inputs = names_of(model, choice.inputs);
  const auto outputs = names_of(model, choice.outputs);
  const Json high = std::isfinite(choice.ratio.high) ? Json(choice.ratio.high) : Json();
  Json out{{"subprogram", choice.subprogram},
           {"place", choice.place},
           {"outputs", outputs},
           {"mutant", choice.how},
           {"moves", choice.moves},
           {"saved_ms", choice.saved_ms},
           {"ratio", {{"median", choice.ratio.median}, {"low", choice.ratio.low}, {"high", high}}},
           {"corrected", nullptr}};
  if (const auto* wrong = record.corrected(choice.subprogram, choice.how)) {
    out["corrected"] = {{"wrong", wrong->wrong}, {"wrong_share", wrong->wrong_share}};
  }
  out["before"] = ProgramWriter(before.program, known).write(names_of(model, before.inputs));
  const auto arranged = arrange(choice.program, Borders::Free);
  const Graph& after = arranged ? arranged->graph : choice.program;
  out["after"] = ProgramWriter(after, known).write(inputs);
  out["layouts"] = {{"inputs", Json::array()}, {"outputs", Json::array()}};
  if (arranged) {
    out["layouts"] = {{"inputs", layouts(inputs, arranged->inputs)},
                      {"outputs", layouts(outputs, arranged->outputs)}};
  }
  return out;
}

}  // namespace

Json places_of(const Graph& model, const std::vector<Choice>& chosen,
               const explain::SearchRecord& record) {
  Json out = Json::array();
  for (const Choice& choice : chosen) out.push_back(place_of(model, choice, record));
  return out;
}

Json operator_counts(const Graph& graph) {
  const auto depends = graph.depends_on_inputs();
  std::map<std::string, std::size_t> counts;
  for (const NodeId id : graph.ids()) {
    const Op* op = graph.node(id).op();
    if (op != nullptr && depends[id.index()] != 0) ++counts[op->def->name];
  }
  return counts;
}

}  // namespace pet::app
