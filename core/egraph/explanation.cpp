#include "core/egraph/explanation.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/egraph/match.h"

namespace pet::egraph {
namespace {

// What has to be told, until nothing is left that asks for more. What an application applied to was
// there before it, so this comes to an end.
class Explainer {
 public:
  explicit Explainer(const Program& program)
      : program_(program), is_told_(program.applications.size()) {}

  void equal(ENodeId a, ENodeId b) {
    if (a != b && seen_.insert(std::minmax(a, b)).second) pairs_.emplace_back(a, b);
  }
  void node(ENodeId id) { application(program_.graph.node(id).made_by); }

  std::vector<std::size_t> run() {
    while (!pairs_.empty() || !applications_.empty()) {
      if (!applications_.empty()) {
        const std::size_t number = applications_.back();
        applications_.pop_back();
        tell(program_.applications[number]);
      } else {
        const auto [a, b] = pairs_.back();
        pairs_.pop_back();
        for (const EGraph::Step& step : program_.graph.why_equal(a, b)) explain(step);
      }
    }
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < is_told_.size(); ++i)
      if (is_told_[i] != 0) out.push_back(i);
    return out;
  }

 private:
  void application(std::size_t number) {
    if (number != kOriginal && std::exchange(is_told_[number], 1) == 0)
      applications_.push_back(number);
  }
  void tell(const Application& one) {
    for (const auto* nodes : {&one.inputs, &one.outputs, &one.source})
      for (const ENodeId id : *nodes) node(id);
    for (const auto& [a, b] : one.relies_on) equal(a, b);
  }
  void explain(const EGraph::Step& step) {
    node(step.a);
    node(step.b);
    if (step.by != kCongruence) return application(step.by);
    const auto& a = program_.graph.node(step.a).operands;
    const auto& b = program_.graph.node(step.b).operands;
    for (std::size_t i = 0; i < a.size(); ++i) equal(ENodeId(a[i].index()), ENodeId(b[i].index()));
  }

  const Program& program_;
  std::vector<char> is_told_;
  std::set<std::pair<ENodeId, ENodeId>> seen_;
  std::vector<std::pair<ENodeId, ENodeId>> pairs_;
  std::vector<std::size_t> applications_;
};

}  // namespace

std::vector<std::size_t> way_to(const Program& program, const Extraction& extraction,
                                const Choice& choice) {
  Explainer explainer(program);
  const auto chosen = [&](Number number) { return extraction.nodes[choice[number]]; };
  for (std::size_t i = 0; i < program.outputs.size(); ++i)
    explainer.equal(program.outputs[i], chosen(extraction.problem.roots[i]));
  for (const Number number : needed(extraction.problem, choice)) {
    const ENodeId node = chosen(number);
    explainer.node(node);
    const auto& called = program.graph.node(node).operands;
    const auto& children = extraction.problem.nodes[choice[number]].children;
    for (std::size_t i = 0; i < called.size(); ++i)
      explainer.equal(ENodeId(called[i].index()), chosen(children[i]));
  }
  return explainer.run();
}

std::optional<Program> along(const Graph& original, const Program& program,
                             const std::vector<std::size_t>& way, rules::Rewriter& rewriter) {
  Program out = program_of(original);
  // Nodes of the original come first and in the same order in both.
  std::map<ENodeId, ENodeId> places;
  for (std::size_t i = 0; i < out.graph.made(); ++i) places.emplace(ENodeId(i), ENodeId(i));
  const auto moved = [&](const std::vector<ENodeId>& ids) -> std::optional<std::vector<ENodeId>> {
    std::vector<ENodeId> found;
    for (const ENodeId id : ids) {
      const auto it = places.find(id);
      if (it == places.end()) return std::nullopt;
      found.push_back(it->second);
    }
    return found;
  };
  for (const std::size_t number : way) {
    const Application& one = program.applications[number];
    const auto inputs = moved(one.inputs), outputs = moved(one.outputs);
    const rules::Instance* instance = rewriter.fitting(one.use).instance;
    if (!inputs || !outputs || instance == nullptr) return std::nullopt;
    Match match;
    for (const ENodeId id : *inputs) match.inputs.push_back(out.graph.class_of(id));
    for (const ENodeId id : *outputs) match.outputs.push_back(out.graph.class_of(id));
    if (!standing(out.graph, match, instance->source)) return std::nullopt;
    const Added added = add_to(out.graph, instance->target, *inputs, out.applications.size());
    for (std::size_t i = 0; i < added.outputs.size(); ++i)
      out.graph.merge((*outputs)[i], added.outputs[i], out.applications.size());
    for (std::size_t i = 0; i < added.nodes.size(); ++i)
      places.emplace(one.target[i], added.nodes[i]);
    out.applications.push_back(one);
    out.graph.rebuild();
  }
  return out;
}

}  // namespace pet::egraph
