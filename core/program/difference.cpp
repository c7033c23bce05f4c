#include "core/program/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/ir/copy.h"

namespace pet {
namespace {

class Difference {
 public:
  Difference(const Graph& source, const Graph& changed)
      : source_(source),
        changed_(changed),
        stands_for_(changed.nodes().size()),
        group_(changed.nodes().size()) {
    for (const NodeId id : source.ids()) {
      const Node& node = source.node(id);
      if (const Tensor* tensor = node.constant()) constants_.emplace(tensor->digest(), id);
      const std::string& name = node.input() != nullptr ? node.input()->name : node.name;
      if (node.constant() == nullptr && !name.empty()) names_.emplace(name, id);
    }
  }

  Result<std::vector<Replacement>> run(const std::string& label) {
    for (const NodeId id : changed_.ids()) {
      if (auto done = look_at(id); !done) return std::move(done).error();
    }
    for (std::size_t i = 0; i < changed_.outputs().size(); ++i)
      stands_for_[changed_.outputs()[i].index()] = source_.outputs()[i];
    std::map<std::size_t, std::vector<NodeId>> groups;
    for (const NodeId id : changed_.ids())
      if (is_new(id)) groups[group_of(id)].push_back(id);
    std::vector<Replacement> out;
    for (const auto& [number, nodes] : groups) {
      auto made = replacement(nodes, label);
      if (!made) return std::move(made).error();
      if (!made->outputs.empty()) out.push_back(*std::move(made));
    }
    return out;
  }

 private:
  bool is_new(NodeId id) const { return new_.contains(id); }

  // Which node of the source this one is, or stands for.
  std::optional<NodeId> by_name(NodeId id) const {
    const Node& node = changed_.node(id);
    const std::string& name = node.input() != nullptr ? node.input()->name : node.name;
    const auto it = names_.find(name);
    if (it == names_.end() || source_.node(it->second).type != node.type) return std::nullopt;
    return it->second;
  }

  // The same operator on values that stand for its operands.
  bool is_unchanged(NodeId id, NodeId old) const {
    const Node& node = changed_.node(id);
    const Node& before = source_.node(old);
    if (before.op() == nullptr || *before.op() != *node.op() ||
        before.operands.size() != node.operands.size())
      return false;
    for (std::size_t i = 0; i < node.operands.size(); ++i)
      if (stands_for_[node.operands[i].index()] != before.operands[i]) return false;
    return true;
  }

  Status look_at(NodeId id) {
    const Node& node = changed_.node(id);
    if (const Tensor* tensor = node.constant()) {
      const auto it = constants_.find(tensor->digest());
      if (it != constants_.end()) stands_for_[id.index()] = it->second;
      return Done{};
    }
    stands_for_[id.index()] = by_name(id);
    const auto& old = stands_for_[id.index()];
    if (node.input() != nullptr)
      return old ? Status(Done{}) : Error{fmt::format("there is no input {}", node.input()->name)};
    if (old && is_unchanged(id, *old)) return Done{};
    if (!changed_.has_meaning(id))
      return Error{fmt::format("{} cannot be written anew", node.name), ErrorKind::Unsupported};
    new_.insert(id);
    group_[id.index()] = id.index();
    for (const NodeId operand : node.operands)
      if (is_new(operand)) join(group_of(operand), group_of(id));
    return Done{};
  }

  std::size_t group_of(NodeId id) const {
    std::size_t i = id.index();
    while (group_[i] != i) i = group_[i];
    return i;
  }
  void join(std::size_t a, std::size_t b) { group_[std::max(a, b)] = std::min(a, b); }

  bool is_read_outside(NodeId id, const std::vector<std::vector<NodeId>>& users) const {
    const auto& outputs = changed_.outputs();
    const auto& readers = users[id.index()];
    return std::find(outputs.begin(), outputs.end(), id) != outputs.end() ||
           std::any_of(readers.begin(), readers.end(), [&](NodeId r) { return !is_new(r); });
  }

  Result<Replacement> replacement(const std::vector<NodeId>& nodes, const std::string& label) {
    if (users_.empty()) users_ = changed_.consumers();
    Replacement out{.program = {}, .inputs = {}, .outputs = {}, .label = label};
    GraphBuilder builder;
    const auto instead = [&](NodeId id) -> Result<Instead> {
      const Node& node = changed_.node(id);
      if (is_new(id) || node.constant() != nullptr) return Instead(AsItIs{});
      out.inputs.push_back(*stands_for_[id.index()]);
      return Instead(builder.add_input(fmt::format("in{}", out.inputs.size() - 1), node.type));
    };
    GraphCopy copy(changed_, builder, {.instead = instead});
    for (const NodeId id : nodes)
      if (auto done = copy.make(id); !done) return std::move(done).error();
    for (const NodeId id : nodes) {
      if (!is_read_outside(id, users_)) continue;
      const auto& old = stands_for_[id.index()];
      if (!old)
        return Error{"a node that stays reads a new value that stands for none",
                     ErrorKind::Unsupported};
      builder.add_output(copy.at(id));
      out.outputs.push_back(*old);
    }
    out.program = std::move(builder).build();
    return out;
  }

  const Graph& source_;
  const Graph& changed_;
  std::map<std::string, NodeId> names_;
  std::map<Digest, NodeId> constants_;
  std::vector<std::optional<NodeId>> stands_for_;  // by node of `changed`
  std::set<NodeId> new_;
  std::vector<std::size_t> group_;  // by node of `changed`: one of its group, itself at last
  std::vector<std::vector<NodeId>> users_;
};

}  // namespace

Result<std::vector<Replacement>> differences(const Graph& source, const Graph& changed,
                                             const std::string& label) {
  return Difference(source, changed).run(label);
}

}  // namespace pet
