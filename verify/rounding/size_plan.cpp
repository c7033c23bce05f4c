#include "verify/rounding/size_plan.h"

#include <algorithm>
#include <set>

#include "verify/values/totality.h"

namespace pet {
namespace {

class Planner {
 public:
  Planner(const ProvedPair& pair, const std::stop_token& stop)
      : pair_(pair),
        stop_(stop),
        needed_here_(pair.mutant.needed_by_outputs()),
        needed_there_(pair.original.needed_by_outputs()) {
    plan_.arguments_by_value = plan_.results_by_value = Counterparts(stop);
  }

  Result<SizePlan> rejoined() {
    mark_as_original(std::vector<char>(pair_.mutant.nodes().size(), 0));
    for (const NodeId id : pair_.mutant.ids()) {
      if (needed_here_[id.index()] == 0 || !pair_.table.rejoins(id)) continue;
      plan_.compared[id.index()] = 1;
      plan_.partners[id] = {in_original(pair_, id)};
      measure(plan_.partners[id].front());
    }
    return finished();
  }

  // REQUIRES: whatever the mutant applies functions to that varies it applies them to as the
  // original does
  Result<SizePlan> settled() {
    // A function of what varies, and of what the original has, is what it is there, in whatever
    // order of axes.
    const auto varies = pair_.mutant.depends_on_inputs();
    std::vector<char> results(pair_.mutant.nodes().size(), 0);
    for (const NodeId id : pair_.mutant.ids()) {
      const auto arguments = argument_operands(pair_.mutant, id);
      const bool is_result = std::ranges::any_of(arguments, [&](std::size_t k) {
        return varies[pair_.mutant.node(id).operands[k].index()] != 0;
      });
      results[id.index()] = is_result && pair_.table.rejoins(id) ? 1 : 0;
    }
    mark_as_original(results);
    compare_outputs();
    if (auto done = compare_arguments(); !done) return std::move(done).error();
    for (const NodeId id : pair_.mutant.ids()) {
      if (needed_here_[id.index()] == 0 || !pair_.table.rejoins(id)) continue;
      plan_.compared[id.index()] = 1;
      if (plan_.partners.contains(id)) continue;
      plan_.partners[id] = {in_original(pair_, id)};
      measure(plan_.partners[id].front());
    }
    return finished();
  }

  Result<SizePlan> everything(const std::vector<char>& tame) {
    mark_as_original(tame);
    compare_outputs();
    if (auto done = compare_arguments(); !done) return std::move(done).error();
    return finished();
  }

 private:
  Result<SizePlan> finished() {
    list_results();
    if (auto done = want(); !done) return std::move(done).error();
    if (auto done = find(); !done) return std::move(done).error();
    if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    plan_.arguments_by_value.forget_keys();
    plan_.results_by_value.forget_keys();
    return std::move(plan_);
  }

  bool is_new(NodeId mine) const {
    return pair_.table.is_new(pair_.table.computed_by_mutant(mine));
  }

  void mark_as_original(const std::vector<char>& tame) {
    plan_.as_original = tame;
    plan_.compared.assign(pair_.mutant.nodes().size(), 0);
    plan_.measured.assign(pair_.original.nodes().size(), 0);
    for (const NodeId id : pair_.mutant.ids()) {
      const auto& operands = pair_.mutant.node(id).operands;
      const auto summed = summed_operands(pair_.mutant, id);
      const bool all = std::all_of(summed.begin(), summed.end(), [&](std::size_t k) {
        return plan_.as_original[operands[k].index()] != 0;
      });
      if (all && !is_new(id)) plan_.as_original[id.index()] = 1;
    }
  }

  void measure(NodeId theirs) { plan_.measured[theirs.index()] = 1; }

  void compare_outputs() {
    for (std::size_t i = 0; i < pair_.mutant.outputs().size(); ++i) {
      const NodeId mine = pair_.mutant.outputs()[i];
      const NodeId theirs = pair_.original.outputs()[i];
      if (!pair_.mutant.node(mine).type.shape || !pair_.original.node(theirs).type.shape) continue;
      const bool same = pair_.table.of_mutant(mine) == pair_.table.of_original(theirs);
      if (same && plan_.as_original[mine.index()] != 0) continue;
      plan_.compared[mine.index()] = 1;
      plan_.outputs[mine].push_back(theirs);
      measure(theirs);
    }
  }

  // Of the nodes that the outputs need: what functions are applied to, as far as it has rounding
  // errors.
  static std::set<NodeId> arguments_of(const Graph& graph, NodeId id) {
    std::set<NodeId> out;
    for (const std::size_t k : argument_operands(graph, id)) {
      const NodeId operand = graph.node(id).operands[k];
      const TensorType& type = graph.node(operand).type;
      if (type.shape && type.dtype == DType::Float) out.insert(operand);
    }
    return out;
  }

  Status compare_arguments() {
    std::set<NodeId> arguments;
    for (const NodeId id : pair_.mutant.ids()) {
      if (needed_here_[id.index()] == 0) continue;
      for (const NodeId argument : arguments_of(pair_.mutant, id)) {
        if (is_new(id) || plan_.as_original[argument.index()] == 0) arguments.insert(argument);
      }
    }
    for (const NodeId id : arguments) {
      plan_.compared[id.index()] = 1;
      const auto partners = partners_of(id);
      if (!partners) return partners.error();
      if (partners->empty()) {
        plan_.alone[id];
        continue;
      }
      plan_.partners[id] = *partners;
      for (const NodeId partner : *partners) measure(partner);
    }
    return Done{};
  }

  Result<std::vector<NodeId>> partners_of(NodeId mine) const {
    if (!pair_.is_settled) return pair_.originals.equal_to(pair_.table.computed_by_mutant(mine));
    std::vector<NodeId> out;
    for (const NodeId id : pair_.original.ids()) {
      if (pair_.table.of_original(id) == pair_.table.of_mutant(mine)) out.push_back(id);
    }
    return out;
  }

  // What the mutant sums on the way to what is compared.
  void list_results() {
    const std::stop_token never;
    const SizeRun run(pair_.store.code().mutant(), {plan_.as_original, {}, {}, false, false}, 1,
                      never);
    const auto touched = run.touched(plan_.compared);
    for (const NodeId id : pair_.mutant.ids()) {
      if (touched[id.index()] == 0) continue;
      if (plan_.as_original[id.index()] != 0) {
        plan_.kept[in_original(pair_, id)];
        measure(in_original(pair_, id));
      } else if (applies_function(pair_.mutant, id) && !is_new(id)) {
        plan_.kept_results[in_original(pair_, id)];
        measure(in_original(pair_, id));
      } else if (applies_function(pair_.mutant, id)) {
        plan_.results[id];
        for (const Application& application : pair_.mutant.meaning(id).applications)
          functions_.insert(application.function);
      }
    }
  }

  // One walk for arguments and results: where the store cannot hold all residues, every walk
  // computes them again.
  Status want() {
    for (const NodeId id : pair_.mutant.ids()) {
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      const ValueId value = pair_.table.computed_by_mutant(id);
      if (const auto it = plan_.alone.find(id); it != plan_.alone.end()) {
        const auto keys = keys_of(value);
        if (!keys) return keys.error();
        it->second = plan_.arguments_by_value.want(*keys);
      }
      if (const auto it = plan_.results.find(id); it != plan_.results.end()) {
        const auto digests = pair_.store.argument_digests(value);
        if (!digests) return digests.error();
        for (const auto& list : *digests) it->second.push_back(plan_.results_by_value.want(list));
      }
    }
    return Done{};
  }

  Status find() {
    std::set<NodeId> arguments;
    if (!plan_.arguments_by_value.empty()) {
      for (const NodeId id : pair_.original.ids()) {
        if (needed_there_[id.index()] != 0) arguments.merge(arguments_of(pair_.original, id));
      }
    }
    for (const NodeId id : pair_.original.ids()) {
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      if (arguments.contains(id)) {
        if (auto done = find_argument(id); !done) return done;
      }
      if (needed_there_[id.index()] != 0 && may_have_results(id)) {
        if (auto done = find_results(id); !done) return done;
      }
    }
    return Done{};
  }

  Status find_argument(NodeId id) {
    const auto keys = keys_of(pair_.table.of_original(id));
    if (!keys) return keys.error();
    auto matches = plan_.arguments_by_value.find(*keys);
    if (matches.empty()) return Done{};
    plan_.argument_matches[id] = std::move(matches);
    measure(id);
    return Done{};
  }

  bool may_have_results(NodeId id) const {
    if (plan_.results_by_value.empty() || !applies_function(pair_.original, id)) return false;
    const auto& applications = pair_.original.meaning(id).applications;
    return std::any_of(applications.begin(), applications.end(),
                       [&](const Application& a) { return functions_.contains(a.function); });
  }

  Status find_results(NodeId id) {
    const auto digests = pair_.store.argument_digests(pair_.table.of_original(id));
    if (!digests) return digests.error();
    std::vector<std::vector<Counterparts::Match>> matches;
    for (const auto& list : *digests) matches.push_back(plan_.results_by_value.find(list));
    if (std::all_of(matches.begin(), matches.end(), [](const auto& m) { return m.empty(); }))
      return Done{};
    plan_.result_matches[id] = std::move(matches);
    measure(id);
    return Done{};
  }

  Result<std::vector<Hash128>> keys_of(ValueId id) const {
    const auto tensor = pair_.store.residues(id);
    if (!tensor) return tensor.error();
    return element_keys(**tensor);
  }

  const ProvedPair& pair_;
  const std::stop_token& stop_;
  std::vector<char> needed_here_;
  std::vector<char> needed_there_;
  std::set<const ElementFunction*> functions_;
  SizePlan plan_;
};

}  // namespace

NodeId in_original(const ProvedPair& pair, NodeId mine) {
  return pair.table.value(pair.table.of_mutant(mine)).node;
}

Result<SizePlan> plan_rejoined(const ProvedPair& pair, const std::stop_token& stop) {
  return Planner(pair, stop).rejoined();
}

Result<SizePlan> plan_sizes(const ProvedPair& pair, const std::vector<char>& tame,
                            const std::stop_token& stop) {
  return Planner(pair, stop).everything(tame);
}

Result<SizePlan> plan_settled(const ProvedPair& pair, const std::stop_token& stop) {
  return Planner(pair, stop).settled();
}

}  // namespace pet
