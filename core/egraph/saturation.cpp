#include "core/egraph/saturation.h"

#include <algorithm>
#include <array>

#include "core/egraph/cycles.h"

namespace pet::egraph {
namespace {

bool is_of_several_results(const rules::UsableRule& rule) {
  return rule.pattern.source.outputs().size() > 1;
}

std::optional<rules::Use> use_at(const EGraph& graph, const rules::Rule& rule, std::size_t number,
                                 const Match& match) {
  rules::Use out{number, {}};
  for (std::size_t i = 0; i < match.inputs.size(); ++i) {
    const TensorType& type = graph.at(match.inputs[i]).type;
    if (type.dtype != DType::Float || !type.shape) return std::nullopt;
    out.shapes[rule.inputs[i].name] = *type.shape;
  }
  return out;
}

bool yields_types(const EGraph& graph, const Match& match, const Graph& target) {
  for (std::size_t i = 0; i < match.outputs.size(); ++i)
    if (target.node(target.outputs()[i]).type != graph.at(match.outputs[i]).type) return false;
  return true;
}

bool are_distinct(const EGraph& graph, const std::vector<ClassId>& classes) {
  std::set<ClassId> seen;
  for (const ClassId id : classes) seen.insert(graph.find(id));
  return seen.size() == classes.size();
}

std::vector<ENodeId> as_called(const EGraph& graph, const std::vector<ClassId>& classes) {
  std::vector<ENodeId> out;
  for (const ClassId id : classes) out.emplace_back(graph.find(id).index());
  return out;
}

bool would_need_itself(const EGraph& graph, ClassId a, ClassId b) {
  return graph.find(a) != graph.find(b) && (reaches(graph, a, b) || reaches(graph, b, a));
}

// Matches of rules whose results are alike come in both orders; of two such matches one is enough,
// the first that fits.
Match as_set(Match match) {
  std::ranges::sort(match.inputs);
  std::ranges::sort(match.outputs);
  return match;
}

}  // namespace

std::string_view to_string(SaturationEnd end) {
  constexpr std::array<std::string_view, kSaturationEnds> kWords = {"saturated", "limit of nodes",
                                                                    "limit of iterations"};
  return kWords[static_cast<std::size_t>(end)];
}

Effect apply(Program& program, rules::Rewriter& rewriter, std::size_t rule, const Match& match,
             CycleFilter cycles) {
  EGraph& graph = program.graph;
  if (!are_distinct(graph, match.outputs)) return {};
  const auto use = use_at(graph, rewriter.rules()[rule].rule, rule, match);
  if (!use) return {};
  const auto fitting = rewriter.fitting(*use);
  if (fitting.fit != rules::Fit::Fits || !yields_types(graph, match, fitting.instance->target))
    return {};
  auto stands = standing(graph, match, fitting.instance->source);
  if (!stands) return {};
  Application one{*use,
                  as_called(graph, match.inputs),
                  as_called(graph, match.outputs),
                  std::move(stands->nodes),
                  {},
                  std::move(stands->relies_on)};
  const std::size_t number = program.applications.size();
  const std::size_t before = graph.made();
  Added added = add_to(graph, fitting.instance->target, one.inputs, number);
  Effect out{true, 0, graph.made() - before};
  for (std::size_t i = 0; i < added.outputs.size(); ++i) {
    const ENodeId made = added.outputs[i];
    if (cycles == CycleFilter::Vanilla &&
        would_need_itself(graph, match.outputs[i], graph.class_of(made)))
      continue;
    if (graph.merge(one.outputs[i], made, number)) ++out.merged;
  }
  if (out.made + out.merged == 0) return out;
  one.target = std::move(added.nodes);
  one.relies_on.insert(one.relies_on.end(), added.relies_on.begin(), added.relies_on.end());
  program.applications.push_back(std::move(one));
  return out;
}

namespace {

// All of what was found, as far as there is room.
RuleApplication apply_found(Program& program, rules::Rewriter& rewriter, std::size_t rule,
                            const Found& found, const SaturationLimits& limits) {
  RuleApplication out;
  out.rule = rule;
  out.is_cut = found.is_cut;
  std::set<Match> done;
  for (const Match& match : found.matches) {
    if (program.graph.node_count() >= limits.nodes) break;
    const Match unordered = as_set(match);
    if (done.contains(unordered)) continue;
    const Effect effect = apply(program, rewriter, rule, match, limits.cycles);
    if (effect.fits) done.insert(unordered);
    if (effect.merged + effect.made == 0) continue;
    ++out.matches;
    out.merged += effect.merged;
    out.made += effect.made;
  }
  return out;
}

}  // namespace

RuleApplication apply_everywhere(Program& program, rules::Rewriter& rewriter, std::size_t rule,
                                 const SaturationLimits& limits) {
  const Index index(program.graph);
  const Found found =
      matches_of(program.graph, index, rewriter.rules()[rule].pattern, limits.matches);
  RuleApplication out = apply_found(program, rewriter, rule, found, limits);
  program.graph.rebuild();
  break_cycles(program.graph);
  return out;
}

bool Saturation::is_in_turn(std::size_t rule) const {
  if (left_out_.contains(rule)) return false;
  return iteration_ < limits_.k_multi || !is_of_several_results(rewriter_.rules()[rule]);
}

void Saturation::step() {
  if (is_over()) return;
  applied_.reset();
  banned_.reset();
  const std::size_t rules = rewriter_.rules().size();
  while (next_ < rules && !is_in_turn(next_)) ++next_;
  if (next_ < rules) {
    is_applying_ ? apply_all(next_) : look_for(next_);
    ++next_;
  } else if (is_applying_) {
    end_round();
  } else {
    is_applying_ = true;
    next_ = 0;
  }
}

void Saturation::look_for(std::size_t rule) {
  if (!index_) {
    index_.emplace(program_.graph);
    found_.assign(rewriter_.rules().size(), {});
  }
  found_[rule] =
      matches_of(program_.graph, *index_, rewriter_.rules()[rule].pattern, limits_.matches);
}

void Saturation::apply_all(std::size_t rule) {
  if (found_.size() <= rule || found_[rule].matches.empty()) return;
  RuleApplication done = apply_found(program_, rewriter_, rule, found_[rule], limits_);
  program_.graph.rebuild();
  done.iteration = iteration_;
  changed_ = changed_ || done.merged + done.made > 0;
  applied_ = done;
}

void Saturation::end_round() {
  program_.graph.rebuild();
  banned_ = break_cycles(program_.graph);
  ++iteration_;
  if (!changed_) {
    end_ = SaturationEnd::Saturated;
  } else if (program_.graph.node_count() >= limits_.nodes) {
    end_ = SaturationEnd::Nodes;
  } else if (iteration_ >= limits_.iterations) {
    end_ = SaturationEnd::Iterations;
  }
  index_.reset();
  found_.clear();
  changed_ = false;
  is_applying_ = false;
  next_ = 0;
}

}  // namespace pet::egraph
