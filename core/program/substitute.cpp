#include "core/program/substitute.h"

#include <map>

#include "core/program/subprogram.h"

namespace pet {
namespace {

class Replacing {
 public:
  Replacing(const Graph& source, std::span<const Substitute> substitutes)
      : source_(source),
        copy_(source, builder_,
              {.instead = [this](NodeId id) { return instead(id); },
               .keep = [](NodeId) { return false; },
               .last_operand_first = true}) {
    for (const Substitute& substitute : substitutes)
      for (const NodeId id : substitute.outputs) by_[id] = &substitute;
  }

  Result<Graph> run() { return copy_.build(); }

 private:
  // What is read is made last operand first: measurements and journals know candidates by the bytes
  // of their files, and these follow from the order of the nodes.
  Result<Instead> instead(NodeId id) {
    const auto it = by_.find(id);
    if (it == by_.end()) return copied(id);
    const Substitute& by = *it->second;
    return Instead(MadeOf{{by.inputs.rbegin(), by.inputs.rend()},
                          [this, id, &by](const std::vector<NodeId>& inputs) {
                            return computed(id, by, {inputs.rbegin(), inputs.rend()});
                          }});
  }

  Instead copied(NodeId id) {
    const Node& node = source_.node(id);
    if (node.operands.empty()) return AsItIs{};
    return MadeOf{{node.operands.rbegin(), node.operands.rend()},
                  [this, &node](const std::vector<NodeId>& operands) {
                    return copy_node(builder_, node, {operands.rbegin(), operands.rend()});
                  }};
  }

  // All that it computes, `id` among it.
  Result<NodeId> computed(NodeId id, const Substitute& by, const std::vector<NodeId>& inputs) {
    std::vector<std::string> names;
    for (const NodeId output : by.outputs) names.push_back(source_.node(output).name);
    const auto results = append(builder_, *by.program, inputs, names);
    if (!results) return results.error();
    NodeId out;
    for (std::size_t j = 0; j < results->size(); ++j) {
      if (by.outputs[j] == id)
        out = (*results)[j];
      else
        copy_.put(by.outputs[j], (*results)[j]);
    }
    return out;
  }

  const Graph& source_;
  std::map<NodeId, const Substitute*> by_;
  GraphBuilder builder_;
  GraphCopy copy_;
};

}  // namespace

Result<Graph> with_replaced(const Graph& source, std::span<const Substitute> substitutes) {
  return Replacing(source, substitutes).run();
}

}  // namespace pet
