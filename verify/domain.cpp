#include "verify/domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/util/printable.h"

namespace pet {
namespace {

// What has no meaning is called as its file calls it, without the digest that it is known by here.
std::string name_of(const Op& op) {
  if (op.def->lower != nullptr) return to_string(op);
  std::string what = op.text("what");
  if (what.starts_with("::")) what.erase(0, 2);
  return fmt::format("{}, which has no meaning here,", printable(what));
}

bool is_partial(const Application& application) {
  return application.function->totality == Totality::Partial;
}

class DomainCheck {
 public:
  DomainCheck(const ValueTable& table, ResidueStore& store, const ResidueEvaluator& evaluator)
      : table_(table), store_(store), evaluator_(evaluator) {}

  // The values of all nodes.
  Result<std::string> check_opaque(const std::set<ValueId>& original,
                                   const std::set<ValueId>& mutant) {
    std::vector<ValueId> opaque;
    for (const ValueId id : mutant) {
      if (!original.contains(id) && is_opaque(table_.node(id))) opaque.push_back(id);
    }
    return opaque.empty() ? std::string{} : check_opaque(original, opaque);
  }

  // The values that the outputs need.
  Result<std::string> check_partial(const std::set<ValueId>& original,
                                    const std::set<ValueId>& mutant) {
    std::vector<ValueId> partial;
    for (const ValueId id : mutant) {
      if (!original.contains(id) && applies_partial(id)) partial.push_back(id);
    }
    return partial.empty() ? std::string{} : check_partial(original, partial);
  }

 private:
  bool applies_partial(ValueId id) const {
    const Value& value = table_.value(id);
    return applies_partial_function(*value.graph, value.node);
  }

  Result<std::string> check_opaque(const std::set<ValueId>& original,
                                   const std::vector<ValueId>& mine) {
    std::set<Digest> allowed;
    for (const ValueId id : original) {
      if (!is_opaque(table_.node(id))) continue;
      auto digest = store_.digest(id);
      if (!digest) return std::move(digest).error();
      allowed.insert(*digest);
    }
    for (const ValueId id : mine) {
      auto digest = store_.digest(id);
      if (!digest) return std::move(digest).error();
      if (!allowed.contains(*digest)) return complaint(id);
    }
    return std::string{};
  }

  Result<std::string> check_partial(const std::set<ValueId>& original,
                                    const std::vector<ValueId>& mine) {
    std::set<Hash128> allowed;
    for (const ValueId id : original) {
      if (!applies_partial(id)) continue;
      auto theirs = arguments(id);
      if (!theirs) return std::move(theirs).error();
      allowed.insert(theirs->begin(), theirs->end());
    }
    for (const ValueId id : mine) {
      auto digests = arguments(id);
      if (!digests) return std::move(digests).error();
      const auto inside = [&](const Hash128& digest) { return allowed.contains(digest); };
      if (!std::all_of(digests->begin(), digests->end(), inside)) return complaint(id);
    }
    return std::string{};
  }

  // The arguments of all partial functions of a value, function included.
  Result<std::vector<Hash128>> arguments(ValueId id) {
    const Value& value = table_.value(id);
    std::vector<std::shared_ptr<const ResidueTensor>> held;
    std::vector<const ResidueTensor*> operands;
    for (const ValueId operand : value.operands) {
      auto tensor = store_.residues(operand);
      if (!tensor) return std::move(tensor).error();
      held.push_back(*std::move(tensor));
      operands.push_back(held.back().get());
    }
    const auto code = store_.code().of(value);
    const auto digests = evaluator_.argument_digests(*code, operands);
    std::vector<Hash128> out;
    for (std::size_t k = 0; k < digests.size(); ++k) {
      if (is_partial(code->meaning().applications[k]))
        out.insert(out.end(), digests[k].begin(), digests[k].end());
    }
    return out;
  }

  std::string complaint(ValueId id) const {
    return fmt::format("domain: {} is applied where the original does not apply it",
                       name_of(*table_.node(id).op()));
  }

  const ValueTable& table_;
  ResidueStore& store_;
  const ResidueEvaluator& evaluator_;
};

}  // namespace

bool applies_partial_function(const Graph& graph, NodeId id) {
  if (!graph.has_meaning(id)) return false;
  const auto& applications = graph.meaning(id).applications;
  return std::any_of(applications.begin(), applications.end(), is_partial);
}

Result<std::string> domain_violation(const Graph& original, const Graph& mutant,
                                     const ValueTable& table, ResidueStore& store,
                                     const ResidueEvaluator& evaluator) {
  std::set<ValueId> theirs;
  std::set<ValueId> mine;
  std::set<ValueId> needed_theirs;
  std::set<ValueId> needed_mine;
  const auto needed_there = original.needed_by_outputs();
  for (const NodeId id : original.ids()) {
    theirs.insert(table.of_original(id));
    if (needed_there[id.index()] != 0) needed_theirs.insert(table.of_original(id));
  }
  // A value that joined one of the original's is equal to it, but the mutant's own way to it must
  // be defined.
  const auto needed_here = mutant.needed_by_outputs();
  for (const NodeId id : mutant.ids()) {
    mine.insert(table.computed_by_mutant(id));
    if (needed_here[id.index()] != 0) needed_mine.insert(table.computed_by_mutant(id));
  }
  DomainCheck check(table, store, evaluator);
  auto complaint = check.check_opaque(theirs, mine);
  if (!complaint || !complaint->empty()) return complaint;
  return check.check_partial(needed_theirs, needed_mine);
}

std::string infinite_arithmetic(const Graph& graph) {
  std::vector<char> tainted(graph.nodes().size(), 0);
  const auto needed = graph.needed_by_outputs();
  for (const NodeId id : graph.ids()) {
    const Node& node = graph.node(id);
    if (const Tensor* tensor = node.constant()) {
      tainted[id.index()] = tensor->type().dtype == DType::Float && !tensor->all_finite() ? 1 : 0;
    }
    const bool reads = std::any_of(node.operands.begin(), node.operands.end(),
                                   [&](NodeId operand) { return tainted[operand.index()] != 0; });
    if (!reads || !graph.has_meaning(id)) continue;
    if (is_data_movement(graph.meaning(id))) {
      tainted[id.index()] = 1;
    } else if (needed[id.index()] != 0) {
      return fmt::format("{} computes with a constant that is infinite or no number",
                         to_string(*node.op()));
    }
  }
  return {};
}

}  // namespace pet
