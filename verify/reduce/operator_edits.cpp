#include "verify/reduce/operator_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pet::reduce {
namespace {

bool is_large_constant(const Node& node) {
  return node.constant() != nullptr && count(node.constant()->shape()) > 1;
}

// Names of new inputs: those that the values have in the original, as far as nothing has them.
class InputNames {
 public:
  explicit InputNames(const Pair& pair) : original_(pair.original) {
    for (const Graph* program : {&pair.original, &pair.mutant})
      for (const NodeId id : program->inputs()) taken_.insert(program->node(id).input()->name);
  }

  // The same for the same value.
  std::string of(NodeId original) {
    if (const auto it = names_.find(original); it != names_.end()) return it->second;
    const std::string& own = original_.node(original).name;
    const std::string wanted = own.empty() ? fmt::format("v{}", original.value) : own;
    std::string name = wanted;
    for (std::size_t i = 1; !taken_.insert(name).second; ++i)
      name = fmt::format("{}_{}", wanted, i);
    return names_[original] = name;
  }

 private:
  const Graph& original_;
  std::set<std::string> taken_;
  std::map<NodeId, std::string> names_;
};

class Edits {
 public:
  Edits(const Pair& pair, const SharedValues& shared)
      : pair_(pair),
        shared_(shared),
        unchanged_{no_changes(pair.original), no_changes(pair.mutant)} {}

  std::vector<PairChanges> all(Leaving leaving) {
    one_output_each();
    shorter();
    if (leaving == Leaving::Freely) add_cut(cut(Cut::Everything));
    add_cut(kept_apart(cut(Cut::Everything)));
    add_cut(cut(Cut::Constants));
    without_one_output_each();
    earlier_values();
    shared_one_by_one(leaving);
    left_out_in_both();
    if (leaving == Leaving::Freely) left_out_in_one();
    return std::move(edits_);
  }

  PairChanges cut(Cut which) {
    PairChanges out = unchanged_;
    InputNames names(pair_);
    const auto cut_one = [&](const Graph& program,
                             const std::vector<std::optional<NodeId>>& same_as, Changes& changes) {
      for (const NodeId id : program.ids()) {
        const auto& first = same_as[id.index()];
        if (!first || !is_cut(program.node(id), which)) continue;
        if (is_cut(pair_.original.node(*first), which) && in_both(*first))
          changes.cut[id] = names.of(*first);
      }
    };
    cut_one(pair_.original, shared_.of_original, out.original);
    cut_one(pair_.mutant, shared_.of_mutant, out.mutant);
    return out;
  }

  // No value becomes an input beside something that it follows from: what holds of the two together
  // would be lost, and with it perhaps why the programs are equal elsewhere.
  PairChanges kept_apart(PairChanges edit) const {
    for (;;) {
      std::set<std::string> inputs;
      add_inputs(pair_.original, edit.original, inputs);
      add_inputs(pair_.mutant, edit.mutant, inputs);
      std::set<std::string> dependent;
      add_dependent(pair_.original, edit.original, inputs, dependent);
      add_dependent(pair_.mutant, edit.mutant, inputs, dependent);
      if (dependent.empty()) return edit;
      for (Changes* changes : {&edit.original, &edit.mutant})
        std::erase_if(changes->cut,
                      [&](const auto& one) { return dependent.contains(one.second); });
    }
  }

 private:
  static bool is_cut(const Node& node, Cut which) {
    if (!node.type.shape || node.type.dtype != DType::Float) return false;
    return is_large_constant(node) || (which == Cut::Everything && node.op() != nullptr);
  }

  // Nothing: it will be no input.
  static const std::string* input_name(const Graph& program, NodeId id, const Changes& changes) {
    if (const auto it = changes.cut.find(id); it != changes.cut.end()) return &it->second;
    const InputLeaf* input = program.node(id).input();
    return input != nullptr ? &input->name : nullptr;
  }

  // Those that will be needed.
  static void add_inputs(const Graph& program, const Changes& changes,
                         std::set<std::string>& inputs) {
    const auto needed = needed_after(program, changes);
    for (const NodeId id : program.ids()) {
      const std::string* name = input_name(program, id, changes);
      if (name != nullptr && needed[id.index()] != 0) inputs.insert(*name);
    }
  }

  static void add_dependent(const Graph& program, const Changes& changes,
                            const std::set<std::string>& inputs, std::set<std::string>& dependent) {
    // By node: whether it is one of the inputs, or follows from one.
    std::vector<char> reached(program.nodes().size(), 0);
    for (const NodeId id : program.ids()) {
      const auto& operands = program.node(id).operands;
      const bool follows = std::any_of(operands.begin(), operands.end(),
                                       [&](NodeId o) { return reached[o.index()] != 0; });
      const std::string* name = input_name(program, id, changes);
      const bool is_one = name != nullptr && inputs.contains(*name);
      if (is_one && follows && changes.cut.contains(id)) dependent.insert(*name);
      reached[id.index()] = is_one || follows ? 1 : 0;
    }
  }

  bool in_both(NodeId original) {
    if (in_mutant_.empty()) {
      for (const auto& same : shared_.of_mutant)
        if (same) in_mutant_.insert(*same);
    }
    return in_mutant_.contains(original);
  }

  // Several outputs: one alone, then all but one.
  void one_output_each() {
    const std::size_t outputs = unchanged_.original.outputs.size();
    if (outputs < 2 || unchanged_.mutant.outputs.size() != outputs) return;
    for (std::size_t i = 0; i < outputs; ++i) {
      PairChanges& edit = edits_.emplace_back(unchanged_);
      edit.original.outputs = {unchanged_.original.outputs[i]};
      edit.mutant.outputs = {unchanged_.mutant.outputs[i]};
    }
  }

  void without_one_output_each() {
    const std::size_t outputs = unchanged_.original.outputs.size();
    if (outputs < 3 || unchanged_.mutant.outputs.size() != outputs) return;
    for (std::size_t i = 0; i < outputs; ++i) {
      PairChanges& edit = edits_.emplace_back(unchanged_);
      for (Changes* changes : {&edit.original, &edit.mutant})
        changes->outputs.erase(changes->outputs.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  // Where both end with the same operator the difference is in what it reads: back to where it
  // comes from, half as far, ... and once with everything that differs.
  void shorter() {
    const std::size_t outputs =
        std::min(unchanged_.original.outputs.size(), unchanged_.mutant.outputs.size());
    for (std::size_t i = 0; i < outputs; ++i) {
      const auto way = way_back(i);
      for (std::size_t steps = way.size(); steps > 0; steps /= 2) {
        PairChanges& edit = edits_.emplace_back(unchanged_);
        edit.original.outputs[i] = way[steps - 1].first;
        edit.mutant.outputs[i] = way[steps - 1].second;
      }
      const auto places =
          differing_operands(pair_.original.outputs()[i], pair_.mutant.outputs()[i]);
      if (places.size() < 2) continue;
      PairChanges edit = unchanged_;
      put_operands(pair_.original, i, places, edit.original.outputs);
      put_operands(pair_.mutant, i, places, edit.mutant.outputs);
      edits_.push_back(std::move(edit));
    }
  }

  // Values that differ, each pair of them the operands of the next one's operators that are alike.
  std::vector<std::pair<NodeId, NodeId>> way_back(std::size_t output) const {
    std::vector<std::pair<NodeId, NodeId>> out;
    NodeId a = pair_.original.outputs()[output];
    NodeId b = pair_.mutant.outputs()[output];
    for (;;) {
      const auto places = differing_operands(a, b);
      if (places.empty()) return out;
      const auto& operands = pair_.original.node(a).operands;
      const std::size_t first = *std::min_element(
          places.begin(), places.end(),
          [&](std::size_t i, std::size_t j) { return operands[i] < operands[j]; });
      b = pair_.mutant.node(b).operands[first];
      a = operands[first];
      out.emplace_back(a, b);
    }
  }

  // Nothing where the operators are not alike, or their operands not side by side.
  std::vector<std::size_t> differing_operands(NodeId original, NodeId mutant) const {
    const Node& a = pair_.original.node(original);
    const Node& b = pair_.mutant.node(mutant);
    if (a.op() == nullptr || b.op() == nullptr || *a.op() != *b.op() ||
        a.operands.size() != b.operands.size())
      return {};
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < a.operands.size(); ++i) {
      if (shared_.same(a.operands[i], b.operands[i])) continue;
      if (pair_.original.node(a.operands[i]).type != pair_.mutant.node(b.operands[i]).type)
        return {};
      places.push_back(i);
    }
    for (const std::size_t i : places) {
      for (const std::size_t j : places)
        if (shared_.same(a.operands[i], b.operands[j])) return {};
    }
    return places;
  }

  static void put_operands(const Graph& program, std::size_t output,
                           const std::vector<std::size_t>& places, std::vector<NodeId>& outputs) {
    const Node& last = program.node(program.outputs()[output]);
    std::vector<NodeId> operands;
    for (const std::size_t place : places) operands.push_back(last.operands[place]);
    const auto at = outputs.begin() + static_cast<std::ptrdiff_t>(output);
    outputs.insert(outputs.erase(at), operands.begin(), operands.end());
  }

  void add_cut(PairChanges edit) {
    if (!edit.original.cut.empty() && !edit.mutant.cut.empty()) edits_.push_back(std::move(edit));
  }

  void shared_one_by_one(Leaving leaving) {
    const PairChanges all = cut(Cut::Everything);
    std::set<std::string> names;
    for (auto it = all.original.cut.rbegin(); it != all.original.cut.rend(); ++it) {
      if (!names.insert(it->second).second) continue;
      PairChanges edit = unchanged_;
      keep_one(all.original.cut, it->second, edit.original.cut);
      keep_one(all.mutant.cut, it->second, edit.mutant.cut);
      add_cut(leaving == Leaving::Freely ? std::move(edit) : kept_apart(std::move(edit)));
    }
  }

  static void keep_one(const std::map<NodeId, std::string>& all, const std::string& name,
                       std::map<NodeId, std::string>& out) {
    for (const auto& [id, label] : all)
      if (label == name) out[id] = label;
  }

  // The same elements are there already: what lies between is a detour.
  void earlier_values() {
    const auto of = [&](const Graph& program, const std::vector<std::optional<NodeId>>& earlier,
                        Changes PairChanges::*side) {
      for (std::size_t i = earlier.size(); i-- > 0;) {
        if (!earlier[i] || program.node(NodeId(i)).op() == nullptr) continue;
        (edits_.emplace_back(unchanged_).*side).instead[NodeId(i)] = *earlier[i];
      }
    };
    of(pair_.original, shared_.earlier_in_original, &PairChanges::original);
    of(pair_.mutant, shared_.earlier_in_mutant, &PairChanges::mutant);
  }

  // Operators that are alike and of which both programs have equally many, in order; others by
  // their names.
  std::vector<std::pair<NodeId, NodeId>> counterparts() const {
    const auto by_kind = [](const Graph& program) {
      std::map<std::string, std::vector<NodeId>> out;
      const auto needed = program.needed_by_outputs();
      for (const NodeId id : program.ids()) {
        const Node& node = program.node(id);
        if (node.op() != nullptr && needed[id.index()] != 0)
          out[to_string(*node.op())].push_back(id);
      }
      return out;
    };
    const auto theirs = by_kind(pair_.original);
    const auto mine = by_kind(pair_.mutant);
    std::vector<std::pair<NodeId, NodeId>> out;
    for (const auto& [kind, a] : theirs) {
      const auto it = mine.find(kind);
      if (it == mine.end()) continue;
      const std::vector<NodeId>& b = it->second;
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (a.size() == b.size()) {
          out.emplace_back(a[i], b[i]);
        } else if (const auto other = called(pair_.original.node(a[i]).name, b)) {
          out.emplace_back(a[i], *other);
        }
      }
    }
    std::sort(out.rbegin(), out.rend());
    return out;
  }

  std::optional<NodeId> called(const std::string& name, const std::vector<NodeId>& some) const {
    if (name.empty()) return std::nullopt;
    const auto it = std::find_if(some.begin(), some.end(),
                                 [&](NodeId id) { return pair_.mutant.node(id).name == name; });
    return it == some.end() ? std::nullopt : std::optional(*it);
  }

  // Whether operand i of the one may stand for what operand i of the other does. Operands may be
  // exchanged, which is then the fault, and two different leaves differ whatever is done to them.
  bool correspond(const Node& x, const Node& y, std::size_t i) const {
    if (shared_.same(x.operands[i], y.operands[i])) return true;
    const bool is_exchanged =
        std::any_of(y.operands.begin(), y.operands.end(),
                    [&](NodeId other) { return shared_.same(x.operands[i], other); }) ||
        std::any_of(x.operands.begin(), x.operands.end(),
                    [&](NodeId other) { return shared_.same(other, y.operands[i]); });
    const bool are_leaves = pair_.original.node(x.operands[i]).op() == nullptr &&
                            pair_.mutant.node(y.operands[i]).op() == nullptr;
    return !is_exchanged && !are_leaves;
  }

  void left_out_in_both() {
    for (const auto& [a, b] : counterparts()) {
      const Node& x = pair_.original.node(a);
      const Node& y = pair_.mutant.node(b);
      for (std::size_t i = 0; i < std::min(x.operands.size(), y.operands.size()); ++i) {
        if (pair_.original.node(x.operands[i]).type != x.type ||
            pair_.mutant.node(y.operands[i]).type != y.type || !correspond(x, y, i))
          continue;
        PairChanges& edit = edits_.emplace_back(unchanged_);
        edit.original.instead[a] = x.operands[i];
        edit.mutant.instead[b] = y.operands[i];
      }
    }
  }

  void left_out_in_one() {
    const auto of = [&](const Graph& program, Changes PairChanges::*side) {
      for (std::size_t i = program.nodes().size(); i-- > 0;) {
        const Node& node = program.node(NodeId(i));
        for (const NodeId operand : node.operands) {
          if (program.node(operand).type != node.type) continue;
          (edits_.emplace_back(unchanged_).*side).instead[NodeId(i)] = operand;
        }
      }
    };
    of(pair_.original, &PairChanges::original);
    of(pair_.mutant, &PairChanges::mutant);
  }

  const Pair& pair_;
  const SharedValues& shared_;
  const PairChanges unchanged_;
  std::set<NodeId> in_mutant_;
  std::vector<PairChanges> edits_;
};

}  // namespace

std::vector<PairChanges> operator_edits(const Pair& pair, const SharedValues& shared,
                                        Leaving leaving) {
  return Edits(pair, shared).all(leaving);
}

PairChanges cut_shared(const Pair& pair, const SharedValues& shared, Cut which) {
  Edits edits(pair, shared);
  return edits.kept_apart(edits.cut(which));
}

}  // namespace pet::reduce
