#include "core/search/found_programs.h"

#include <algorithm>

#include "core/rewrite/expression_digest.h"

namespace pet {
namespace {

// A value's name, or that of the first named one that is made of it: a convolution without its bias
// has none.
std::string name_near(const egraph::EGraph& graph, egraph::ENodeId id) {
  const egraph::EClass& home = graph.at(graph.class_of(id));
  if (!home.name.empty()) return home.name;
  for (const egraph::ENodeId reader : home.readers) {
    const std::string& name = graph.at(graph.class_of(reader)).name;
    if (!name.empty()) return name;
  }
  return {};
}

}  // namespace

FoundPrograms::FoundPrograms(const Model& model, const rules::NormalForm& normal,
                             rules::Rewriter& rewriter, ShownInstances shown, CostOf cost,
                             std::size_t most)
    : model_(model),
      normal_(normal),
      rewriter_(rewriter),
      shown_(std::move(shown)),
      cost_(std::move(cost)),
      most_(most),
      original_ms_(cost_(model.graph)) {}

void FoundPrograms::explain(const egraph::Program& program, const std::vector<std::size_t>& way,
                            Candidate& out) const {
  std::set<rules::Use> seen;
  for (const std::size_t number : way) {
    const egraph::Application& one = program.applications[number];
    const rules::UsableRule& rule = rewriter_.rules()[one.use.rule];
    out.way.push_back({rule.rule.id, to_string(rule.condition, rule.pattern.quantities),
                       name_near(program.graph, one.outputs.front())});
    if (seen.insert(one.use).second) out.uses.push_back(one.use);
  }
}

void FoundPrograms::add(const egraph::Program& program, const egraph::Extraction& extraction,
                        const egraph::Choice& choice) {
  const auto chosen = egraph::chosen_program(program, extraction, choice);
  if (!chosen || !seen_.insert(rules::expression_digest(*chosen)).second) return;
  auto written = rules::written_form(*chosen, normal_);
  if (!written) return;
  Candidate out{*std::move(written), 0, {}, {}, 0};
  out.cost_ms = cost_(out.written);
  const bool is_wanted =
      out.cost_ms < original_ms_ && (best_.size() < most_ || out.cost_ms < best_.rbegin()->first);
  if (!is_wanted) return;
  explain(program, egraph::way_to(program, extraction, choice), out);
  waiting_.push_back(std::move(out));
}

FoundPrograms::Step FoundPrograms::step() {
  Step out;
  Candidate& at = waiting_.front();
  if (at.next == at.uses.size()) {
    if (keep(at)) out.way = at.way;
    waiting_.pop_front();
    return out;
  }
  const rules::Use& use = at.uses[at.next];
  const auto look = shown_.look(use, *rewriter_.fitting(use).instance);
  if (!look) {
    out.was_stopped = true;
    return out;
  }
  out.was_new = look->is_new;
  ++at.next;
  if (look->is_equal) return out;
  const std::string& id = rewriter_.rules()[use.rule].rule.id;
  const auto place = std::ranges::find(at.way, id, &move::ApplyRule::rule);
  out.rule = use.rule;
  out.refused = RuleRefused{id, place == at.way.end() ? "" : place->place, look->verdict.outcome,
                            look->verdict.reason};
  std::erase_if(waiting_, [&](const Candidate& one) {
    return std::ranges::find(one.uses, use.rule, &rules::Use::rule) != one.uses.end();
  });
  return out;
}

bool FoundPrograms::keep(const Candidate& candidate) {
  auto plan = plan_of(model_.graph, candidate.written, candidate.way, cost_);
  if (!plan || plan->choices.empty()) return false;
  const bool improved = candidate.cost_ms < best_ms();
  best_.emplace(candidate.cost_ms, *std::move(plan));
  if (best_.size() > most_) best_.erase(std::prev(best_.end()));
  return improved;
}

double FoundPrograms::best_ms() const {
  return best_.empty() ? original_ms_ : std::min(original_ms_, best_.begin()->first);
}

std::vector<Plan> FoundPrograms::plans() const {
  std::vector<Plan> out;
  for (const auto& [cost, plan] : best_) out.push_back(plan);
  return out;
}

}  // namespace pet
