#include "verify/growth_on_the_way.h"

#include <algorithm>

namespace pet {
namespace {

class GrowthOnTheWay {
 public:
  GrowthOnTheWay(const Graph& mutant, const ResultsOfOriginal& results,
                 const std::map<NodeId, double>& worst)
      : mutant_(mutant), results_(results), worst_(worst) {
    for (const NodeId id : mutant.ids()) nodes_.push_back(way_to(id));
  }

  double largest() const {
    double out = 1;
    for (const Way& way : nodes_) out = std::max(out, way.growth);
    return out;
  }

 private:
  struct Way {
    double growth = 1;
    double sums = 1;  // of these, from the last functions on
    // The nodes of the original that have their results and inputs, and who has them here.
    std::map<NodeId, NodeId> sources{};
    bool is_as_original = true;  // each of these is the original's, and is there once
  };

  bool is_source(NodeId id) const {
    const Node& node = mutant_.node(id);
    return node.constant() == nullptr &&
           (!mutant_.has_meaning(id) || !mutant_.meaning(id).applications.empty());
  }

  double worst_at(NodeId id) const {
    const auto it = worst_.find(id);
    return it == worst_.end() ? 1 : it->second;
  }

  Way way_to(NodeId id) const {
    Way out;
    for (const NodeId operand : mutant_.node(id).operands) {
      const Way& way = nodes_[operand.index()];
      out.growth = std::max(out.growth, way.growth);
      out.sums = std::max(out.sums, way.sums);
      out.is_as_original = out.is_as_original && way.is_as_original;
      for (const auto& [theirs, source] : way.sources) {
        const auto there = out.sources.emplace(theirs, source).first;
        out.is_as_original = out.is_as_original && there->second == source;
      }
    }
    const double own = std::max(1.0, worst_at(id) / out.sums);
    out.sums = std::max(out.sums, worst_at(id));
    out.growth = std::max(out.growth * (out.is_as_original ? 1 : own), out.sums);
    if (!is_source(id)) return out;
    Way source{.growth = out.growth, .sums = worst_at(id)};
    const auto theirs = results_.holder(id);
    source.is_as_original = theirs.has_value();
    if (theirs) source.sources[*theirs] = id;
    return source;
  }

  const Graph& mutant_;
  const ResultsOfOriginal& results_;
  const std::map<NodeId, double>& worst_;
  std::vector<Way> nodes_;
};

}  // namespace

double growth_on_the_way(const Graph& mutant, const ResultsOfOriginal& results,
                         const std::map<NodeId, double>& worst) {
  return GrowthOnTheWay(mutant, results, worst).largest();
}

}  // namespace pet
