#include "verify/bitmap/domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/util/printable.h"
#include "verify/bitmap/usage.h"
#include "verify/values/totality.h"
#include "verify/verdict/replay.h"

namespace pet {
namespace {

constexpr double kMostLooks = 0x1p28;  // at a node: some seconds

class DomainCheck {
 public:
  DomainCheck(const ValueTable& table, ResidueStore& store) : table_(table), store_(store) {}

  Result<std::string> check_opaque(const std::set<ValueId>& original,
                                   const std::set<ValueId>& mutant) {
    std::vector<ValueId> opaque;
    for (const ValueId id : mutant) {
      if (!original.contains(id) && is_opaque(table_.node(id))) opaque.push_back(id);
    }
    return opaque.empty() ? std::string{} : check_opaque(original, opaque);
  }

  Result<std::string> check_partial(const std::set<ValueId>& original,
                                    const std::set<ValueId>& mutant) {
    std::vector<ValueId> partial;
    for (const ValueId id : mutant) {
      if (!original.contains(id) && applies_partial(id)) partial.push_back(id);
    }
    return partial.empty() ? std::string{} : check_partial(original, partial);
  }

  // What a tensor is made of: the whole of the original's, the mutant's where it is equal.
  Result<std::string> check_used(const Graph& original, const Graph& mutant,
                                 const EqualTensors& pair, const std::stop_token& stop) {
    const NodeId theirs = pair.original;
    const NodeId mine = pair.mutant;
    const auto& marks = pair.where;
    const auto& shape = mutant.node(mine).type.shape;
    if (!shape || !original.node(theirs).type.shape) return std::string{};
    // To count the steps takes a look at every node.
    looks_ += static_cast<double>(original.nodes().size() + mutant.nodes().size());
    if (looks_ > kMostLooks || steps_ > kMostStepsOfDomain) return std::string{};
    // What is multiplied by 0 must not be infinite either, as any function's result may be.
    sources_ = multiplies_by_zero(mutant) ? Sources::All : Sources::Partial;
    const auto partial = source_nodes(mutant);
    const auto partial_there = source_nodes(original);
    steps_ += Usage::steps(mutant, mine, partial) + Usage::steps(original, theirs, partial_there);
    if (steps_ > kMostStepsOfDomain) return std::string{};
    std::vector<char> wanted(static_cast<std::size_t>(count(*shape)), 1);
    for (std::size_t i = 0; i < marks.size(); ++i)
      wanted[i] = marks[i] == static_cast<char>(Mark::Equal) ? 1 : 0;
    const Usage used(store_.code().mutant(), mine, std::move(wanted), partial, TimesZero::Used,
                     stop);
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    if (used.results().empty()) return std::string{};
    const Usage used_there(store_.code().original(), theirs,
                           std::vector<char>(static_cast<std::size_t>(count(*shape)), 1),
                           partial_there, TimesZero::Unused, stop);
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    std::set<Hash128> allowed;
    for (const auto& [id, results] : used_there.results()) {
      auto arguments = used_arguments(table_.of_original(id), results);
      if (!arguments) return std::move(arguments).error();
      allowed.insert(arguments->begin(), arguments->end());
    }
    for (const auto& [id, results] : used.results()) {
      const auto arguments = used_arguments(table_.computed_by_mutant(id), results);
      if (!arguments) return arguments.error();
      const auto inside = [&](const Hash128& digest) { return allowed.contains(digest); };
      if (std::ranges::all_of(*arguments, inside)) continue;
      return fmt::format(
          "domain: '{}' depends on results of {} that the original's does not "
          "depend on",
          printable(mutant.node(mine).name), name_of(*mutant.node(id).op()));
    }
    return std::string{};
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
      const auto theirs = arguments(id);
      if (!theirs) return theirs.error();
      for (std::size_t k = 0; k < (*theirs)->size(); ++k) {
        const auto& digests = (**theirs)[k];
        if (is_partial(applications_of(id)[k])) allowed.insert(digests.begin(), digests.end());
      }
    }
    for (const ValueId id : mine) {
      const auto mine_too = arguments(id);
      if (!mine_too) return mine_too.error();
      const auto inside = [&](const Hash128& digest) { return allowed.contains(digest); };
      for (std::size_t k = 0; k < (*mine_too)->size(); ++k) {
        if (is_partial(applications_of(id)[k]) && !std::ranges::all_of((**mine_too)[k], inside))
          return complaint(id);
      }
    }
    return std::string{};
  }

  using Arguments = std::vector<std::vector<Hash128>>;

  const std::vector<Application>& applications_of(ValueId id) const {
    return table_.value(id).graph->meaning(table_.value(id).node).applications;
  }

  // The arguments of the functions of a value, function included: by application.
  Result<const Arguments*> arguments(ValueId id) {
    if (const auto it = arguments_.find(id); it != arguments_.end()) return &it->second;
    auto out = store_.argument_digests(id);
    if (!out) return std::move(out).error();
    return &(arguments_[id] = *std::move(out));
  }

  Result<std::vector<Hash128>> used_arguments(ValueId id, const Usage::Results& used) {
    const auto all = arguments(id);
    if (!all) return all.error();
    std::vector<Hash128> out;
    for (std::size_t k = 0; k < used.size(); ++k) {
      if (sources_ == Sources::Partial && !is_partial(applications_of(id)[k])) continue;
      for (std::size_t i = 0; i < (**all)[k].size(); ++i) {
        if (used[k][i] != 0) out.push_back((**all)[k][i]);
      }
    }
    return out;
  }

  // Of which functions the results are looked for.
  enum class Sources { Partial, All };

  std::vector<char> source_nodes(const Graph& graph) const {
    std::vector<char> out;
    for (const NodeId id : graph.ids()) {
      const bool counts = sources_ == Sources::Partial ? applies_partial_function(graph, id)
                                                       : applies_function(graph, id);
      out.push_back(counts ? 1 : 0);
    }
    return out;
  }

  std::string complaint(ValueId id) const {
    return fmt::format("domain: {} is applied where the original does not apply it",
                       name_of(*table_.node(id).op()));
  }

  const ValueTable& table_;
  ResidueStore& store_;
  std::map<ValueId, Arguments> arguments_;
  Sources sources_ = Sources::Partial;
  double steps_ = 0;
  double looks_ = 0;
};

}  // namespace

// Without the digest that it is known by here.
std::string name_of(const Op& op) {
  if (op.def->lower != nullptr) return to_string(op);
  std::string what = op.text("what");
  if (what.starts_with("::")) what.erase(0, 2);
  constexpr std::string_view kFirst = " output 0";
  if (what.ends_with(kFirst)) what.resize(what.size() - kFirst.size());
  return fmt::format("{}, which has no meaning here,", printable(what));
}

Result<std::string> domain_violation(const Graph& original, const Graph& mutant,
                                     const ValueTable& table, ResidueStore& store,
                                     const std::vector<EqualTensors>& equal,
                                     const std::stop_token& stop) {
  std::set<ValueId> theirs;
  std::set<ValueId> mine;
  for (const NodeId id : original.ids()) theirs.insert(table.of_original(id));
  // A value that joined one of the original's is equal to it, but the mutant's own way to it must
  // be defined.
  for (const NodeId id : mutant.ids()) mine.insert(table.computed_by_mutant(id));
  DomainCheck check(table, store);
  auto complaint = check.check_opaque(theirs, mine);
  if (!complaint || !complaint->empty()) return complaint;
  complaint = check.check_partial(theirs, mine);
  for (const EqualTensors& pair : equal) {
    if (!complaint || !complaint->empty()) break;
    complaint = check.check_used(original, mutant, pair, stop);
  }
  return complaint;
}

}  // namespace pet
