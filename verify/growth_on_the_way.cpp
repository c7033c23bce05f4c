#include "verify/growth_on_the_way.h"

#include <algorithm>

namespace pet {
namespace {

class GrowthOnTheWay {
 public:
  GrowthOnTheWay(const ProvedPair& pair, const std::map<NodeId, double>& worst)
      : pair_(pair), worst_(worst) {
    for (const NodeId id : pair.mutant.ids()) nodes_.push_back(way_to(id));
  }

  double largest() const {
    double out = 1;
    for (const Way& way : nodes_) out = std::max(out, way.growth);
    return out;
  }

 private:
  struct Way {
    double growth = 1;
    double sums = 1;                      // of these, from the last functions on
    std::map<ValueId, NodeId> sources{};  // their results and inputs
    bool is_as_original = true;  // each of these is one of the original's, and is there once
  };

  bool is_source(NodeId id) const {
    const Node& node = pair_.mutant.node(id);
    return node.constant() == nullptr &&
           (!pair_.mutant.has_meaning(id) || !pair_.mutant.meaning(id).applications.empty());
  }

  double worst_at(NodeId id) const {
    const auto it = worst_.find(id);
    return it == worst_.end() ? 1 : it->second;
  }

  Way way_to(NodeId id) const {
    Way out;
    for (const NodeId operand : pair_.mutant.node(id).operands) {
      const Way& way = nodes_[operand.index()];
      out.growth = std::max(out.growth, way.growth);
      out.sums = std::max(out.sums, way.sums);
      out.is_as_original = out.is_as_original && way.is_as_original;
      for (const auto& [value, source] : way.sources) {
        const auto there = out.sources.emplace(value, source).first;
        out.is_as_original = out.is_as_original && there->second == source;
      }
    }
    const double own = std::max(1.0, worst_at(id) / out.sums);
    out.sums = std::max(out.sums, worst_at(id));
    out.growth = std::max(out.growth * (out.is_as_original ? 1 : own), out.sums);
    if (!is_source(id)) return out;
    const ValueId value = pair_.table.of_mutant(id);
    return {.growth = out.growth,
            .sums = worst_at(id),
            .sources = {{value, id}},
            .is_as_original = !pair_.table.is_new(value)};
  }

  const ProvedPair& pair_;
  const std::map<NodeId, double>& worst_;
  std::vector<Way> nodes_;
};

}  // namespace

double growth_on_the_way(const ProvedPair& pair, const std::map<NodeId, double>& worst) {
  return GrowthOnTheWay(pair, worst).largest();
}

}  // namespace pet
