#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/analysis/commutative.h"
#include "core/ir/needed.h"
#include "core/program/substitute.h"
#include "core/rewrite/expression_digest.h"
#include "core/rewrite/same_meaning.h"

namespace pet::rules {
namespace {

// Holds a program against a source built at the shapes of a place.
class Comparer {
 public:
  Comparer(const Graph& program, const Place& place, const Graph& source)
      : program_(program), source_(source) {
    for (std::size_t i = 0; i < place.inputs.size(); ++i)
      inputs_[source.inputs()[i]] = place.inputs[i];
  }

  // Sources are small and rule files bound how deep they are.
  bool is_same(NodeId of_source, NodeId value) {
    const auto [it, is_new] = known_.emplace(std::pair(of_source, value), false);
    if (is_new && looks_same(of_source, value)) known_[{of_source, value}] = true;
    return known_.at({of_source, value});
  }

 private:
  bool looks_same(NodeId of_source, NodeId value) {
    const Node& a = source_.node(of_source);
    const Node& b = program_.node(value);
    if (a.input() != nullptr) return inputs_.at(of_source) == value;
    if (a.type != b.type) return false;
    if (a.constant() != nullptr)
      return b.constant() != nullptr && a.constant()->digest() == b.constant()->digest();
    if (!program_.has_meaning(value) || a.op()->def != b.op()->def) return false;
    if (*a.op() != *b.op() && !is_same_meaning(source_.meaning(of_source), program_.meaning(value)))
      return false;
    return are_same(a.operands, b.operands) || is_same_exchanged(of_source, a, b);
  }
  bool are_same(const std::vector<NodeId>& a, const std::vector<NodeId>& b) {
    return std::ranges::equal(a, b, [this](NodeId x, NodeId y) { return is_same(x, y); });
  }
  bool is_same_exchanged(NodeId of_source, const Node& a, const Node& b) {
    if (a.operands.size() != 2 || !is_commutative(source_, of_source)) return false;
    return are_same(a.operands, {b.operands[1], b.operands[0]});
  }

  const Graph& program_;
  const Graph& source_;
  std::map<NodeId, NodeId> inputs_;
  std::map<std::pair<NodeId, NodeId>, bool> known_;
};

bool stands_there(const Graph& program, const Place& place, const Graph& source) {
  Comparer comparer(program, place, source);
  for (std::size_t i = 0; i < place.outputs.size(); ++i)
    if (!comparer.is_same(source.outputs()[i], place.outputs[i])) return false;
  return true;
}

bool yields_types(const Graph& program, const Place& place, const Graph& target) {
  for (std::size_t i = 0; i < place.outputs.size(); ++i)
    if (target.node(target.outputs()[i]).type != program.node(place.outputs[i]).type) return false;
  return true;
}

Fit fit_of(const UsableRule& rule, const Instance& instance) {
  if (!rule.condition.holds(instance.quantities)) return Fit::ConditionFails;
  if (expression_digest(instance.source) == expression_digest(instance.target))
    return Fit::ChangesNothing;
  return Fit::Fits;
}

}  // namespace

std::string_view to_string(Fit fit) {
  constexpr std::array<std::string_view, 6> kWords = {"fits",
                                                      "its sizes do not go with these",
                                                      "its source is not what stands there",
                                                      "its condition does not hold",
                                                      "its target is its source there",
                                                      "its target yields other shapes"};
  return kWords[static_cast<std::size_t>(fit)];
}

Result<UsableRule> usable(const Rule& rule, const std::string& condition) {
  auto pattern = pattern_of(rule);
  if (!pattern) return std::move(pattern).error();
  auto formula = parse_condition(condition, pattern->quantities);
  if (!formula) return std::move(formula).error();
  return UsableRule{rule, *std::move(formula), *std::move(pattern)};
}

std::vector<Match> Rewriter::matches(const Graph& program) const {
  const ProgramIndex index(program);
  std::vector<Match> out;
  for (std::size_t rule = 0; rule < rules_.size(); ++rule)
    for (Place& place : places_in(index, rules_[rule].pattern))
      out.push_back({rule, std::move(place)});
  return out;
}

Rewriter::Fitting Rewriter::fitting(const Use& use) {
  const auto [it, is_new] = known_.try_emplace(use);
  Known& known = it->second;
  if (is_new) {
    const UsableRule& rule = rules_[use.rule];
    auto made = instance_at(rule.rule, use.shapes);
    if (made && *made) {
      known.instance = std::make_unique<const Instance>(**std::move(made));
      known.fit = fit_of(rule, *known.instance);
    }
  }
  return {known.fit, known.instance.get()};
}

Rewriter::Decided Rewriter::decide(const Graph& program, const Match& match) {
  const UsableRule& rule = rules_[match.rule];
  Decided out;
  out.use.rule = match.rule;
  for (std::size_t i = 0; i < match.place.inputs.size(); ++i)
    out.use.shapes[rule.rule.inputs[i].name] = *program.node(match.place.inputs[i]).type.shape;
  const Fitting found = fitting(out.use);
  const auto with = [&](Fit fit) {
    out.fit = fit;
    if (fit == Fit::Fits) out.instance = found.instance;
    return out;
  };
  if (found.instance == nullptr) return with(Fit::OtherSizes);
  if (!stands_there(program, match.place, found.instance->source)) return with(Fit::OtherOperators);
  if (found.fit != Fit::Fits) return with(found.fit);
  if (!yields_types(program, match.place, found.instance->target)) return with(Fit::OtherTypes);
  return with(Fit::Fits);
}

Result<Graph> Rewriter::applied(const Graph& program, const Match& match,
                                const Instance& instance) {
  const std::set<NodeId> outputs(match.place.outputs.begin(), match.place.outputs.end());
  if (outputs.size() != match.place.outputs.size())
    return Error{"two results of the source are one value", ErrorKind::Unsupported};
  // Seen before anything is built: of operators in a row rules of two results have many pairs.
  std::vector<char> inputs(program.nodes().size());
  for (const NodeId id : match.place.inputs) inputs[id.index()] = 1;
  const auto needed = needed_by(program, std::move(inputs));
  const auto is_needed = [&](NodeId id) { return needed[id.index()] != 0; };
  if (std::ranges::any_of(outputs, is_needed))
    return Error{"a value would be made of itself", ErrorKind::Unsupported};
  const Substitute substitute{&instance.target, match.place.inputs, match.place.outputs};
  return with_replaced(program, {&substitute, 1});
}

}  // namespace pet::rules
