#include "verify/places/made_of.h"

#include <algorithm>
#include <map>

#include "verify/bitmap/domain.h"
#include "verify/bitmap/usage.h"
#include "verify/values/totality.h"

namespace pet::places {
namespace {

class Outputs {
 public:
  Outputs(const Graph& original, const Graph& mutant, const ValueTable& table,
          const std::stop_token& stop)
      : original_(original),
        mutant_(mutant),
        table_(table),
        stop_(stop),
        counts_all_(multiplies_by_zero(mutant)),
        theirs_(sources(original)),
        mine_(sources(mutant)) {}

  Result<MadeOf> look() const {
    const GraphCode original(original_);
    const GraphCode mutant(mutant_);
    double steps = 0;
    for (std::size_t i = 0; i < mutant_.outputs().size(); ++i) {
      const NodeId mine = mutant_.outputs()[i];
      const NodeId theirs = original_.outputs()[i];
      if (!mutant_.node(mine).type.shape || !original_.node(theirs).type.shape) continue;
      steps += Usage::steps(mutant_, mine, mine_) + Usage::steps(original_, theirs, theirs_);
      if (steps > kMostStepsOfDomain) return MadeOf::TooLong;
      const auto elements = static_cast<std::size_t>(count(*mutant_.node(mine).type.shape));
      const std::vector<char> all(elements, 1);
      const Usage used(mutant, mine, all, mine_, TimesZero::Used, stop_);
      const Usage used_there(original, theirs, all, theirs_, TimesZero::Unused, stop_);
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      if (!is_covered(used, by_value(used_there))) return MadeOf::MaybeMore;
    }
    return MadeOf::NoMore;
  }

 private:
  // What is multiplied by 0 must not be infinite either, as any function's result may be.
  std::vector<char> sources(const Graph& graph) const {
    std::vector<char> out;
    for (const NodeId id : graph.ids()) {
      const bool counts =
          counts_all_ ? applies_function(graph, id) : applies_partial_function(graph, id);
      out.push_back(counts ? 1 : 0);
    }
    return out;
  }

  using ByValue = std::map<ValueId, Usage::Results>;
  ByValue by_value(const Usage& of_original) const {
    ByValue out;
    for (const auto& [id, results] : of_original.results()) {
      const auto [it, is_first] = out.emplace(table_.of_original(id), results);
      for (std::size_t k = 0; !is_first && k < results.size(); ++k) {
        std::ranges::transform(results[k], it->second[k], it->second[k].begin(),
                               [](char a, char b) { return a != 0 || b != 0 ? 1 : 0; });
      }
    }
    return out;
  }

  bool is_covered(const Usage& of_mutant, const ByValue& there) const {
    return std::ranges::all_of(of_mutant.results(), [&](const auto& used) {
      const auto& [id, results] = used;
      const auto it = there.find(table_.of_mutant(id));
      const auto& applications = mutant_.meaning(id).applications;
      for (std::size_t k = 0; k < results.size(); ++k) {
        if (!counts_all_ && !is_partial(applications[k])) continue;
        for (std::size_t i = 0; i < results[k].size(); ++i) {
          if (results[k][i] != 0 && (it == there.end() || it->second[k][i] == 0)) return false;
        }
      }
      return true;
    });
  }

  const Graph& original_;
  const Graph& mutant_;
  const ValueTable& table_;
  const std::stop_token& stop_;
  const bool counts_all_;
  const std::vector<char> theirs_, mine_;  // by node: whose results are looked for
};

}  // namespace

Result<MadeOf> made_of(const Graph& original, const Graph& mutant, const ValueTable& table,
                       const std::stop_token& stop) {
  return Outputs(original, mutant, table, stop).look();
}

}  // namespace pet::places
