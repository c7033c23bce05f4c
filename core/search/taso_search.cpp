#include "core/search/taso_search.h"

#include <algorithm>
#include <cmath>

#include "core/rewrite/expression_digest.h"

namespace pet {

TasoSearch::TasoSearch(const Model& model, std::string target, const TasoConfig& config,
                       std::vector<rules::UsableRule> rules, SearchPorts ports)
    : model_(model),
      config_(config),
      sink_(std::move(ports.sink)),
      stop_(ports.stop),
      shown_(ports.checker, config.log2_error, config.threads, ports.stop),
      rewriter_(std::move(rules)),
      costs_(config.measured_costs ? ports.costs : nullptr, config.threads, sink_, ports.stop) {
  sink_(SearchStarted{model.path.filename().string(), model.digest.hex(), std::move(target),
                      config.seed, 0});
  auto normal = rules::normal_form(model.graph);
  normal_ = normal ? *std::move(normal) : rules::NormalForm{model.graph, {}};
  states_.push_back({normal_.program, cost_of(model.graph), 0, {}});
  queue_.insert({states_[0].cost_ms, 0});
  seen_.insert(rules::expression_digest(states_[0].program));
}

// To a femtosecond: sums of the same costs in another order are equal.
double TasoSearch::cost_of(const Graph& program) const {
  constexpr double kSteps = 1e12;
  return std::round(sum_ms(program, costs_) * kSteps) / kSteps;
}

StepStatus TasoSearch::step(Grain) {
  if (stop_.stop_requested()) return StepStatus::Finished;
  if (!open_) {
    if (taken_ == config_.states) return StepStatus::Finished;
    is_finished_ = !take();
    return is_finished_ ? StepStatus::Finished : StepStatus::Running;
  }
  if (open_->next == open_->matches.size()) {
    forget(open_->state);
    open_.reset();
    return StepStatus::Running;
  }
  look_at(open_->matches[open_->next]);
  return StepStatus::Running;
}

double TasoSearch::best_ms() const {
  return best_.empty() ? states_[0].cost_ms : std::min(states_[0].cost_ms, best_.begin()->first);
}

// False: nothing is left that is worth it.
bool TasoSearch::take() {
  if (queue_.empty()) return false;
  const auto [cost, state] = *queue_.begin();
  queue_.erase(queue_.begin());
  if (cost > config_.alpha * best_ms()) return false;
  sink_(StateTaken{state, cost});
  open_ = Open{state, rewriter_.matches(states_[state].program), 0};
  ++taken_;
  ++totals_.pieces;
  return true;
}

const std::string& TasoSearch::name_of(const rules::Match& match) const {
  return rewriter_.rules()[match.rule].rule.id;
}

std::string TasoSearch::place_of(const rules::Match& match) const {
  const Graph& program = states_[open_->state].program;
  const NodeId first = match.place.outputs.front();
  if (!program.node(first).name.empty()) return program.node(first).name;
  // A convolution without its bias: what reads it has the name.
  for (const NodeId id : program.ids()) {
    const auto& operands = program.node(id).operands;
    if (std::ranges::find(operands, first) != operands.end()) return program.node(id).name;
  }
  return {};
}

void TasoSearch::drop(const rules::Match& match, StateDrop why) {
  sink_(StateDropped{open_->state, name_of(match), place_of(match), why});
}

// One rewriting, as a whole or not at all: what a stop cuts short has not happened.
void TasoSearch::look_at(const rules::Match& match) {
  const Graph& program = states_[open_->state].program;
  const auto decided = rewriter_.decide(program, match);
  if (decided.instance != nullptr && !refused_.contains(match.rule)) {
    auto made = rules::Rewriter::applied(program, match, *decided.instance);
    if (!made) {
      drop(match, StateDrop::OfItself);
    } else if (!consider(match, decided, *std::move(made))) {
      return;
    }
  }
  ++open_->next;
  ++totals_.pieces;
}

// An instance is shown equal only where it would enter a program that is gone on with: of pairs of
// operators that have nothing to do with each other there are many. False: a stop cut it short.
bool TasoSearch::consider(const rules::Match& match, const rules::Rewriter::Decided& decided,
                          Graph program) {
  const auto dropped = [&](StateDrop why) {
    drop(match, why);
    return true;
  };
  const Digest digest = rules::expression_digest(program);
  if (seen_.contains(digest)) return dropped(StateDrop::SeenBefore);
  const auto written = rules::written_form(program, normal_);
  if (!written) return dropped(StateDrop::NotWritten);
  const double cost = cost_of(*written);
  if (stop_.stop_requested()) return false;  // an operator may have been left unmeasured
  if (cost > config_.alpha * best_ms()) return dropped(StateDrop::CostsMore);
  const auto equal = is_shown_equal(match, decided);
  if (!equal) return false;
  if (!*equal) return true;
  ++totals_.proposed;
  seen_.insert(digest);
  const std::size_t state = states_.size();
  sink_(StateReached{state, open_->state, name_of(match), place_of(match), cost, digest.hex()});
  states_.push_back({std::move(program),
                     cost,
                     open_->state,
                     {name_of(match), condition_of(match.rule), place_of(match)}});
  queue_.insert({cost, state});
  keep_among_best(state);
  forget_what_is_never_taken();
  return true;
}

void TasoSearch::keep_among_best(std::size_t state) {
  const double cost = states_[state].cost_ms;
  if (config_.plans == 0 || cost >= states_[0].cost_ms) return;
  if (best_.size() == config_.plans && cost >= best_.rbegin()->first) return;
  const auto plan = plan_for(state);
  if (!plan || plan->choices.empty()) return;
  const bool is_best = cost < best_ms();
  best_.emplace(cost, state);
  if (best_.size() > config_.plans) {
    const auto dropped = *std::prev(best_.end());
    best_.erase(dropped);
    if (!queue_.contains({dropped.first, dropped.second}) && dropped.second != open_->state)
      forget(dropped.second);
  }
  if (is_best) sink_(BestImproved{state, {}, plan->saved_ms});
}

// What costs too much by now, or waits behind more than may still be taken. There is much of it.
void TasoSearch::forget_what_is_never_taken() {
  const double most = config_.alpha * best_ms();
  const std::size_t left = config_.states - taken_;
  while (!queue_.empty() && (queue_.rbegin()->cost_ms > most || queue_.size() > left)) {
    const std::size_t state = queue_.rbegin()->state;
    queue_.erase(std::prev(queue_.end()));
    forget(state);
  }
}

void TasoSearch::forget(std::size_t state) {
  if (!best_.contains({states_[state].cost_ms, state})) states_[state].program = {};
}

std::string TasoSearch::condition_of(std::size_t rule) const {
  const rules::UsableRule& used = rewriter_.rules()[rule];
  return to_string(used.condition, used.pattern.quantities);
}

std::vector<move::ApplyRule> TasoSearch::way_to(std::size_t state) const {
  std::vector<move::ApplyRule> out;
  for (; state != 0; state = states_[state].parent) out.push_back(states_[state].by);
  std::ranges::reverse(out);
  return out;
}

Result<Plan> TasoSearch::plan_for(std::size_t state) const {
  const auto written = rules::written_form(states_[state].program, normal_);
  if (!written) return written.error();
  return plan_of(model_.graph, *written, way_to(state),
                 [this](const Graph& graph) { return cost_of(graph); });
}

std::optional<bool> TasoSearch::is_shown_equal(const rules::Match& match,
                                               const rules::Rewriter::Decided& decided) {
  const auto look = shown_.look(decided.use, *decided.instance);
  if (!look) return std::nullopt;
  totals_.verified += static_cast<std::size_t>(look->is_new);
  if (look->is_equal || !look->is_new) return look->is_equal;
  refused_.insert(match.rule);
  sink_(RuleRefused{name_of(match), place_of(match), look->verdict.outcome, look->verdict.reason});
  return false;
}

std::vector<Plan> TasoSearch::best() const {
  std::vector<Plan> out;
  for (const auto& [cost, state] : best_) {
    auto plan = plan_for(state);
    if (plan) out.push_back(*std::move(plan));
  }
  return out;
}

void TasoSearch::finish(StopReason reason) {
  totals_.reason = reason;
  const auto plans = best();
  totals_.chosen = plans.empty() ? 0 : plans.front().choices.size();
  sink_(totals_);
}

SearchProgress TasoSearch::progress() const {
  return {std::min(config_.states, taken_ + queue_.size()), taken_, totals_.pieces,
          states_[0].cost_ms - best_ms()};
}

}  // namespace pet
