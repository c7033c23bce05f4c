#include "core/program/split.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/program/linear_sets.h"
#include "core/program/reach.h"
#include "core/program/sums.h"

namespace pet {
namespace {

using Set = std::vector<std::size_t>;  // of linear operators, by number, sorted

constexpr std::size_t kMostSiblings = 16;
constexpr std::size_t kMostGroups = 4096;  // of one kind that a further product may join

class Splitting {
 public:
  Splitting(const Graph& program, const SplitOptions& options)
      : program_(program),
        options_(options),
        linear_(linear_operators(program)),
        reach_(program, linear_),
        extractor_(program),
        consumers_(program.consumers()),
        number_(program.nodes().size(), linear_.size()),
        neighbours_(linear_.size()) {
    for (std::size_t i = 0; i < linear_.size(); ++i) number_[linear_[i].index()] = i;
    for (std::size_t i = 0; i < linear_.size(); ++i) {
      for (const NodeId operand : program.node(linear_[i]).operands) {
        const std::size_t from = number_[operand.index()];
        if (from == linear_.size()) continue;
        neighbours_[i].insert(from);
        neighbours_[from].insert(i);
      }
    }
  }

  Split run() {
    connected_sets();
    siblings();
    sums_of_siblings();
    return std::move(out_);
  }

 private:
  // From each set of one size those of the next.
  void connected_sets() {
    std::set<Set> sets;
    for (std::size_t i = 0; i < linear_.size(); ++i) sets.insert({i});
    std::size_t looked_at = 0;
    for (std::size_t size = 1; size <= options_.max_operators && !sets.empty(); ++size) {
      while (looked_at + sets.size() > options_.max_sets && !sets.empty()) {
        sets.erase(std::prev(sets.end()));
        ++out_.left_out;
      }
      looked_at += sets.size();
      for (const Set& set : sets) {
        if (reach_.is_convex(set)) put(set);
      }
      if (out_.left_out > 0) return;
      sets = enlarged(sets);
    }
  }

  std::set<Set> enlarged(const std::set<Set>& sets) const {
    std::set<Set> out;
    for (const Set& set : sets) {
      for (const std::size_t member : set) {
        for (const std::size_t next : neighbours_[member]) {
          const bool fits = std::none_of(set.begin(), set.end(), [&](std::size_t i) {
            return i == next || reach_.depends_through_others(std::max(i, next), std::min(i, next));
          });
          if (!fits) continue;
          Set larger = set;
          larger.insert(std::upper_bound(larger.begin(), larger.end(), next), next);
          out.insert(std::move(larger));
        }
      }
    }
    return out;
  }

  // What products must share to be siblings: everything but the value that they read and the number
  // of their results. Nothing for other operators.
  std::optional<Digest> kind(NodeId id) const {
    const Node& node = program_.node(id);
    const Meaning& meaning = program_.meaning(id);
    if (meaning.sum.terms.empty() || node.operands.size() < 2) return std::nullopt;
    const Term& term = meaning.sum.terms.front();
    const Tensor* weight = program_.node(node.operands[1]).constant();
    if (weight == nullptr || count(term.reduce) < 2 || term.factors.size() != 2)
      return std::nullopt;
    Digester digester("siblings");
    digest_into(digester, *node.op());
    digester.add(static_cast<std::uint64_t>(node.operands.size()))
        .add(to_string(term.reduce))
        .add(to_string(*program_.node(node.operands[0]).type.shape));
    return digester.finish();
  }

  // One group a kind and value that is read, and one a kind for groups of different values.
  void siblings() {
    std::map<Digest, std::map<NodeId, std::vector<Set>>> by_kind;  // and by value
    for (std::size_t i = 0; i < linear_.size(); ++i) {
      if (const auto found = kind(linear_[i])) join(by_kind[*found][value_of(i)], i);
    }
    std::vector<Set> groups;
    for (auto& [digest, by_value] : by_kind) {
      std::vector<Set> same_value;
      for (auto& [value, sets] : by_value)
        same_value.insert(same_value.end(), sets.begin(), sets.end());
      std::sort(same_value.begin(), same_value.end());  // by the first member
      std::vector<Set> independent;
      for (const Set& group : same_value) {
        for (const std::size_t i : group) join(independent, i);
      }
      for (auto* some : {&same_value, &independent}) {
        for (Set& group : *some) {
          std::sort(group.begin(), group.end());
          if (group.size() > 1) groups.push_back(group);
        }
      }
    }
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    for (const Set& group : groups) put(group);  // independent, and so convex
  }

  // Products of one kind and what adds them up, beyond the sets that were looked at anyway. What
  // feeds nothing but the sum cannot be what another of them depends on.
  void sums_of_siblings() {
    for (const NodeId id : linear_) {
      const Addition addition = addition_at(program_, consumers_, id, kMostSiblings);
      if (addition.sums.size() + addition.addends.size() <= options_.max_operators) continue;
      if (!are_siblings(addition.addends)) continue;
      Set set;
      for (const auto* list : {&addition.sums, &addition.addends}) {
        for (const NodeId member : *list) set.push_back(number_[member.index()]);
      }
      std::sort(set.begin(), set.end());
      put(set);
    }
  }

  bool are_siblings(const std::vector<NodeId>& products) const {
    if (products.size() > kMostSiblings) return false;
    std::optional<Digest> shared;
    for (const NodeId id : products) {
      const auto& outputs = program_.outputs();
      if (number_[id.index()] == linear_.size() || consumers_[id.index()].size() != 1 ||
          std::find(outputs.begin(), outputs.end(), id) != outputs.end())
        return false;
      const auto found = kind(id);
      if (!found || (shared && *found != *shared)) return false;
      shared = found;
    }
    return true;
  }

  NodeId value_of(std::size_t product) const { return program_.node(linear_[product]).operands[0]; }

  // Into the first group that takes it.
  void join(std::vector<Set>& groups, std::size_t i) const {
    const std::size_t looked_at = std::min(groups.size(), kMostGroups);
    for (std::size_t g = 0; g < looked_at; ++g) {
      Set& group = groups[g];
      const bool fits = group.size() < kMostSiblings &&
                        std::all_of(group.begin(), group.end(), [&](std::size_t k) {
                          return !reach_.depends(i, k) && !reach_.depends(k, i);
                        });
      if (fits) return group.push_back(i);
    }
    groups.push_back({i});
  }

  void put(const Set& set) {
    std::vector<NodeId> nodes;
    for (const std::size_t i : set) nodes.push_back(linear_[i]);
    Subprogram subprogram = extractor_.extract(nodes);
    const auto [it, is_new] = classes_.try_emplace(subprogram.key, out_.classes.size());
    if (is_new) out_.classes.emplace_back();
    out_.classes[it->second].places.push_back(std::move(subprogram));
  }

  const Graph& program_;
  const SplitOptions& options_;
  std::vector<NodeId> linear_;
  Reach reach_;
  Extractor extractor_;
  std::vector<std::vector<NodeId>> consumers_;
  std::vector<std::size_t> number_;  // by node; of linear operators, else as many as there are
  std::vector<std::set<std::size_t>> neighbours_;
  std::map<Digest, std::size_t> classes_;
  Split out_;
};

}  // namespace

Split split(const Graph& program, const SplitOptions& options) {
  return Splitting(program, options).run();
}

}  // namespace pet
