#include "core/program/substitute.h"

#include <algorithm>
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
               .keep = [](NodeId) { return false; }}) {
    for (const Substitute& substitute : substitutes)
      for (const NodeId id : substitute.outputs) by_[id] = &substitute;
  }

  Result<Graph> run() { return copy_.build(); }

 private:
  Result<Instead> instead(NodeId id) {
    const auto it = by_.find(id);
    if (it == by_.end()) return copied(id);
    const Substitute& by = *it->second;
    return in_order(by.inputs, [this, id, &by](const std::vector<NodeId>& inputs) {
      return computed(id, by, inputs);
    });
  }

  Instead copied(NodeId id) {
    const Node& node = source_.node(id);
    if (node.op() == nullptr) return AsItIs{};
    return in_order(node.operands, [this, &node](std::vector<NodeId> operands) {
      return copy_node(builder_, node, std::move(operands));
    });
  }

  // The last value first: in this order operators stand in the files that are measured, and what
  // was measured is remembered by file.
  template <class Make>
  static Instead in_order(std::span<const NodeId> values, Make make) {
    return MadeOf{{values.rbegin(), values.rend()}, [make](std::vector<NodeId> there) {
                    std::reverse(there.begin(), there.end());
                    return make(std::move(there));
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
