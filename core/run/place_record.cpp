#include "core/run/place_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/program/passes/arrange.h"
#include "core/program/subprogram.h"

namespace pet {
namespace {

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

// Those that are not what the operator's definition says anyway.
Attrs telling_attributes(const Op& op) {
  Attrs out;
  for (const AttrDef& attr : op.def->attrs) {
    const AttrValue* value = op.attrs.find(attr.name);
    if (value != nullptr && (attr.required || *value != attr.standard)) out.set(attr.name, *value);
  }
  return out;
}

// A program of one place, its weight programs drawn together into one constant each.
class ProgramReader {
 public:
  // `known`: the constants of the original program there.
  ProgramReader(const Graph& graph, const Names& known)
      : graph_(graph), known_(known), depends_(graph.depends_on_inputs()) {}

  ProgramRecord read(const std::vector<std::string>& inputs) {
    ProgramRecord out;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const NodeId id = graph_.inputs()[i];
      out.inputs.push_back({name_of(id), inputs[i], graph_.node(id).type, {}, 0});
    }
    for (const NodeId id : graph_.ids()) add_step(id, out);
    for (const NodeId id : graph_.outputs()) out.outputs.push_back(name_of(id));
    return out;
  }

 private:
  void add_step(NodeId id, ProgramRecord& out) {
    const Node& node = graph_.node(id);
    const Op* op = node.op();
    if (depends_[id.index()] == 0 || op == nullptr) return;
    ProgramRecord::Step step{name_of(id),
                             op->def->name,
                             telling_attributes(*op),
                             node.type,
                             {},
                             graph_.has_meaning(id) && is_data_movement(graph_.meaning(id))};
    for (const NodeId operand : node.operands) {
      if (depends_[operand.index()] == 0 && constants_.insert(operand).second)
        out.constants.push_back(constant(operand));
      step.operands.push_back(name_of(operand));
    }
    out.steps.push_back(std::move(step));
  }

  ProgramRecord::Leaf constant(NodeId id) const {
    const Node& node = graph_.node(id);
    ProgramRecord::Leaf out{name_of(id), node.name, node.type, {}, 0};
    std::set<NodeId> seen;
    std::vector<NodeId> open = {id};
    while (!open.empty()) {
      const NodeId at = open.back();
      open.pop_back();
      if (!seen.insert(at).second) continue;
      const Node& part = graph_.node(at);
      if (part.op() != nullptr) ++out.operators;
      if (part.constant() != nullptr) {
        const auto known = known_.find(part.constant()->digest());
        if (known != known_.end()) out.from.push_back(known->second);
      }
      open.insert(open.end(), part.operands.begin(), part.operands.end());
    }
    const Tensor* tensor = node.constant();
    const bool is_fixed = tensor != nullptr && out.from.empty();
    if (is_fixed && tensor->type().dtype == DType::Float && count(tensor->shape()) == 1)
      out.value = tensor->floats().front();
    return out;
  }

  const Graph& graph_;
  const Names& known_;
  std::vector<char> depends_;
  std::set<NodeId> constants_;
};

std::vector<std::string> names_of(const Graph& graph, const std::vector<NodeId>& values) {
  std::vector<std::string> out;
  for (const NodeId id : values) out.push_back(graph.node(id).name);
  return out;
}

std::vector<LayoutRecord> layouts(const std::vector<std::string>& names,
                                  const std::vector<AxisOrder>& orders) {
  std::vector<LayoutRecord> out;
  for (std::size_t i = 0; i < std::min(names.size(), orders.size()); ++i) {
    if (!is_identity(orders[i])) out.push_back({names[i], orders[i]});
  }
  return out;
}

PlaceRecord place_of(const Graph& model, const Choice& choice, const Recorder& recorder) {
  const Subprogram before = extract(model, between(model, choice.inputs, choice.outputs));
  const Names known = constants_of(before.program);
  const auto inputs = names_of(model, choice.inputs);
  PlaceRecord out;
  out.subprogram = choice.subprogram;
  out.name = choice.place;
  out.outputs = names_of(model, choice.outputs);
  out.mutant = choice.mutant;
  out.saved_ms = choice.saved_ms;
  out.ratio = speedup_of(choice.ratio);
  out.correction = recorder.correction(choice.subprogram, choice.mutant);
  out.before = ProgramReader(before.program, known).read(names_of(model, before.inputs));
  const auto arranged = arrange(choice.program, Borders::Free);
  out.after = ProgramReader(arranged ? arranged->graph : choice.program, known).read(inputs);
  if (arranged) {
    out.inputs = layouts(inputs, arranged->inputs);
    out.results = layouts(out.outputs, arranged->outputs);
  }
  return out;
}

}  // namespace

std::vector<PlaceRecord> places_of(const Graph& model, const std::vector<Choice>& chosen,
                                   const Recorder& recorder) {
  std::vector<PlaceRecord> out;
  for (const Choice& choice : chosen) out.push_back(place_of(model, choice, recorder));
  return out;
}

std::map<std::string, std::size_t> operator_counts(const Graph& graph) {
  const auto depends = graph.depends_on_inputs();
  std::map<std::string, std::size_t> counts;
  for (const NodeId id : graph.ids()) {
    const Op* op = graph.node(id).op();
    if (op != nullptr && depends[id.index()] != 0) ++counts[op->def->name];
  }
  return counts;
}

}  // namespace pet
