#include "core/backend/attribution.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <string_view>

#include "core/util/median.h"

namespace pet {
namespace {

// What ONNX Runtime appends to the name of a node or a value that it made an operator from.
constexpr std::array<std::string_view, 3> kDecorations = {"_nchwc", "/MatMulAddFusion",
                                                          "_new_reshape"};

// By node of the file: its name, or that of a value it makes.
std::vector<std::string> names_of(const Model& model) {
  std::vector<std::string> out;
  for (const FileNode& node : model.file_nodes) out.push_back(node.name);
  for (const auto& [name, id] : model.values) {
    const auto& origin = model.origins[id.index()];
    if (origin && out[*origin].empty()) out[*origin] = name;
  }
  return out;
}

class Names {
 public:
  explicit Names(const Model& model) : shown_(names_of(model)) {
    std::size_t number = 0;  // as ONNX Runtime counts nodes: constants are none
    for (std::size_t i = 0; i < model.file_nodes.size(); ++i) {
      const FileNode& node = model.file_nodes[i];
      // It calls nodes without a name by their types and numbers.
      nodes_.try_emplace(node.name.empty() ? fmt::format("{}_{}", node.op_type, number) : node.name,
                         i);
      if (node.op_type != "Constant") ++number;
    }
    for (const auto& [name, id] : model.values) {
      if (const auto origin = model.origins[id.index()]) values_[name] = *origin;
    }
  }

  // Who and whose it is, of an operator that the runtime calls so.
  AttributedTime whose(const OperatorTime& one) const {
    AttributedTime out{.named_after = NamedAfter::Runtime, .name = one.name, .type = one.type};
    std::string_view name = one.name;
    if (place(name, out)) return out;
    for (const std::string_view decoration : kDecorations) {
      const auto end = name.rfind(decoration);
      if (end == std::string_view::npos || !is_token(name.substr(end + decoration.size())))
        continue;
      if (place(name.substr(0, end), out)) return out;
    }
    return out;
  }

 private:
  // "_token_7" makes a decorated name one of its own.
  static bool is_token(std::string_view tail) {
    constexpr std::string_view kToken = "_token_";
    return tail.empty() ||
           (tail.starts_with(kToken) &&
            tail.find_first_not_of("0123456789", kToken.size()) == std::string_view::npos);
  }

  bool place(std::string_view name, AttributedTime& out) const {
    const std::string own(name);
    const auto node = nodes_.find(own);
    const auto value = values_.find(own);
    if (node == nodes_.end() && value == values_.end()) return false;
    out.named_after = node != nodes_.end() ? NamedAfter::Node : NamedAfter::Value;
    out.file_node = node != nodes_.end() ? node->second : value->second;
    out.name = node != nodes_.end() ? shown_[node->second] : own;
    return true;
  }

  std::vector<std::string> shown_;
  std::map<std::string, std::size_t> nodes_, values_;
};

double share_of(double ms, double whole) { return whole > 0 ? ms / whole : 0; }

}  // namespace

std::vector<AttributedTime> attributed(const OperatorProfile& profile, const Model& model) {
  const Names names(model);
  const double whole = median(profile.runs_ms);
  std::vector<AttributedTime> out;
  double left = whole;
  for (const OperatorTime& one : profile.operators) {
    AttributedTime time = names.whose(one);
    time.ms = median(one.ms);
    time.share = share_of(time.ms, whole);
    time.calls = one.calls;
    time.samples = one.ms.size();
    left -= time.ms;
    out.push_back(std::move(time));
  }
  out.push_back({.named_after = NamedAfter::Rest,
                 .name = "the rest of the run",
                 .ms = left,
                 .share = share_of(left, whole),
                 .samples = profile.runs_ms.size()});
  return out;
}

std::vector<AttributedTime> estimated(const Model& model, const MachineModel& machine) {
  std::map<std::size_t, double> by_node;
  double whole = 0;
  const auto depends = model.graph.depends_on_inputs();
  for (const NodeId id : model.graph.ids()) {
    const auto& origin = model.origins[id.index()];
    if (!origin || depends[id.index()] == 0) continue;
    const double ms = analytic_ms(work_of(model.graph, id), machine);
    by_node[*origin] += ms;
    whole += ms;
  }
  const auto names = names_of(model);
  std::vector<AttributedTime> out;
  for (const auto& [node, ms] : by_node) {
    out.push_back({.named_after = NamedAfter::Node,
                   .file_node = node,
                   .name = names[node],
                   .type = model.file_nodes[node].op_type,
                   .ms = ms,
                   .share = share_of(ms, whole)});
  }
  return out;
}

}  // namespace pet
