// Internal: the fields of what a journal holds, by the names that they have there. Over 400 lines:
// one event after another.
#pragma once

#include "core/search/journal.h"
#include "core/search/move_fields.h"

namespace pet {

namespace journal {
template <>
inline constexpr std::size_t kEnumerators<Decision> = 4;
template <>
inline constexpr std::size_t kEnumerators<Outcome> = 7;
template <>
inline constexpr std::size_t kEnumerators<ErrorKind> = 5;
template <>
inline constexpr std::size_t kEnumerators<StopReason> = kStopReasons;
template <>
inline constexpr std::size_t kEnumerators<Stage> = kStages;
template <>
inline constexpr std::size_t kEnumerators<Only> = 3;
template <>
inline constexpr std::size_t kEnumerators<StateDrop> = kStateDrops;
template <>
inline constexpr std::size_t kEnumerators<egraph::CycleFilter> = egraph::kCycleFilters;
template <>
inline constexpr std::size_t kEnumerators<egraph::Extractor> = egraph::kExtractors;
template <>
inline constexpr std::size_t kEnumerators<Discarded> = kDiscardedReasons;
template <>
inline constexpr std::size_t kEnumerators<Pruned> = kPrunedReasons;

template <>
struct Alternatives<Event> {
  static constexpr const char* kKey = "event";
  static constexpr std::array<const char*, std::variant_size_v<Event>> kNames = {
      "search_started",     "subprogram_found",  "program_shown",      "round_started",
      "mutant_proposed",    "mutant_shown",      "mutant_discarded",   "candidate_kept",
      "candidate_dropped",  "mutants_counted",   "mutant_verified",    "mutant_corrected",
      "candidate_measured", "border_measured",   "border_failed",      "layout_measured",
      "layout_failed",      "candidate_failed",  "best_improved",      "search_finished",
      "stage_started",      "pass_applied",      "file_measured",      "file_proved",
      "numbers_compared",   "plan_tried",        "state_taken",        "state_reached",
      "state_dropped",      "rule_refused",      "saturation_started", "rule_applied",
      "egraph_counted",     "saturation_ended",  "extracted",          "way_found",
      "solver_answered",    "tree_node_reached", "tree_updated",       "action_chosen",
      "operator_measured",  "block_taken"};
};
}  // namespace journal

template <class V>
void visit_fields(const V& v, Ratio& x) {
  v("median", x.median);
  v("low", x.low);
  v("high", x.high);
}
template <class V>
void visit_fields(const V& v, Comparison& x) {
  v("decision", x.decision);
  v("ratio", x.ratio);
  v("original_ms", x.timing.a_ms);
  v("candidate_ms", x.timing.b_ms);
  v("seconds", x.seconds);
}
template <class V>
void visit_fields(const V& v, ComparedFiles& x) {
  v("original", x.original);
  v("candidate", x.candidate);
}
template <class V>
void visit_fields(const V& v, Error& x) {
  v("kind", x.kind);
  v("message", x.message);
}
template <class V>
void visit_fields(const V& v, GeneratorCounters& x) {
  journal::Counts<Pruned, kPrunedReasons> pruned{x.pruned};
  v("nodes", x.nodes);
  v("programs", x.programs);
  v("mutants", x.mutants);
  v("pruned", pruned);
}

// The model's name stands in the header: whatever it is called, the search is the same.
template <class V>
void visit_fields(const V& v, SearchStarted& e) {
  v("digest", e.digest);
  v("target", e.target);
  v("seed", e.seed);
  v("subprograms", e.subprograms);
}
template <class V>
void visit_fields(const V& v, SubprogramFound& e) {
  v("number", e.number);
  v("operators", e.operators);
  v("place", e.place);
  v("places", e.places);
  v("program", e.program);
}
template <class V>
void visit_fields(const V& v, ProgramShown& e) {
  v("digest", e.digest);
  v("text", e.text);
}
template <class V>
void visit_fields(const V& v, RoundStarted& e) {
  v("subprogram", e.subprogram);
  v("round", e.round);
  v("sources", e.sources);
}
template <class V>
void visit_fields(const V& v, MutantProposed& e) {
  v("subprogram", e.subprogram);
  visit_fields(v, e.mutant);
}
template <class V>
void visit_fields(const V& v, MutantShown& e) {
  v("subprogram", e.subprogram);
  visit_fields(v, e.mutant);
}
template <class V>
void visit_fields(const V& v, MutantDiscarded& e) {
  v("subprogram", e.subprogram);
  v("mutant", e.mutant);
  v("why", e.why);
  v("way", e.way);
  v("cost_ms", e.cost_ms);
  v("detail", e.detail);
}
template <class V>
void visit_fields(const V& v, CandidateKept& e) {
  v("subprogram", e.subprogram);
  v("mutant", e.mutant);
  v("cost_ms", e.cost_ms);
  v("inputs", e.inputs);
  v("outputs", e.outputs);
  v("displaced", e.displaced);
  v("in_part", e.in_part);
}
template <class V>
void visit_fields(const V& v, CandidateDropped& e) {
  v("subprogram", e.subprogram);
  v("mutant", e.mutant);
  v("cost_ms", e.cost_ms);
  v("inputs", e.inputs);
  v("outputs", e.outputs);
  v("displaced_by", e.displaced_by);
}
template <class V>
void visit_fields(const V& v, MutantsCounted& e) {
  journal::Counts<Discarded, kDiscardedReasons> discarded{e.discarded};
  v("subprogram", e.subprogram);
  v("all", e.all);
  v("proposed", e.proposed);
  v("generator", e.generator);
  v("discarded", discarded);
}
template <class V>
void visit_fields(const V& v, MutantVerified& e) {
  v("subprogram", e.subprogram);
  v("mutant", e.mutant);
  v("program", e.program);
  v("outcome", e.outcome);
  v("everywhere", e.everywhere);
  v("wrong", e.wrong);
  v("wrong_share", e.wrong_share);
  v("log2_error", e.log2_error);
}
template <class V>
void visit_fields(const V& v, MutantCorrected& e) {
  v("subprogram", e.subprogram);
  v("mutant", e.mutant);
  v("corrected", e.corrected);
  v("program", e.program);
  v("outcome", e.outcome);
  v("everywhere", e.everywhere);
}
template <class V>
void visit_fields(const V& v, CandidateMeasured& e) {
  v("subprogram", e.subprogram);
  v("mutant", e.mutant);
  v("program", e.program);
  v("files", e.files);
  visit_fields(v, e.comparison);
}
template <class V>
void visit_fields(const V& v, BorderMeasured& e) {
  v("shape", e.shape);
  v("order", e.order);
  v("ms", e.ms);
  v("files", e.files);
  visit_fields(v, e.comparison);
}
template <class V>
void visit_fields(const V& v, BorderFailed& e) {
  v("shape", e.shape);
  v("order", e.order);
  v("files", e.files);
  v("error", e.error);
}
template <class V>
void visit_fields(const V& v, LayoutMeasured& e) {
  v("subprogram", e.subprogram);
  v("ms", e.ms);
  v("files", e.files);
  visit_fields(v, e.comparison);
}
template <class V>
void visit_fields(const V& v, LayoutFailed& e) {
  v("subprogram", e.subprogram);
  v("files", e.files);
  v("error", e.error);
}
template <class V>
void visit_fields(const V& v, CandidateFailed& e) {
  v("subprogram", e.subprogram);
  v("mutant", e.mutant);
  v("why", e.why);
  v("kind", e.kind);
  v("program", e.program);
  v("files", e.files);
}
template <class V>
void visit_fields(const V& v, BestImproved& e) {
  v("subprogram", e.subprogram);
  v("mutant", e.mutant);
  v("saved_ms", e.saved_ms);
}
template <class V>
void visit_fields(const V& v, SearchFinished& e) {
  v("reason", e.reason);
  v("proposed", e.proposed);
  v("verified", e.verified);
  v("measured", e.measured);
  v("chosen", e.chosen);
  v("pieces", e.pieces);
}
template <class V>
void visit_fields(const V& v, StageStarted& e) {
  v("stage", e.stage);
  v("plan", e.plan);
}
template <class V>
void visit_fields(const V& v, Became& e) {
  v("before", e.before);
  v("after", e.after);
}
// The programs by their digests: who wants them made once more has the plan.
template <class V>
void visit_fields(const V& v, PassApplied& e) {
  std::string pass(e.what.pass);
  std::string before = e.what.before.digest().hex();
  std::string after = e.what.after.digest().hex();
  v("plan", e.plan);
  v("pass", pass);
  v("part", e.what.part);
  v("before", before);
  v("after", after);
  v("became", e.what.became);
}
template <class V>
void visit_fields(const V& v, FileMeasured& e) {
  v("plan", e.plan);
  v.later("files", e.files);
  visit_fields(v, e.comparison);
}
template <class V>
void visit_fields(const V& v, FileProved& e) {
  v("plan", e.plan);
  v("outcome", e.outcome);
  v("reason", e.reason);
  v("log2_error", e.log2_error);
  v("primes", e.primes);
  v("growth", e.growth);
}
template <class V>
void visit_fields(const V& v, NumbersCompared& e) {
  v("plan", e.plan);
  v("max_abs", e.max_abs);
  v("max_rel", e.max_rel);
  v("max_rel_of_channel", e.max_rel_of_channel);
}
template <class V>
void visit_fields(const V& v, PlanTried::Part& e) {
  v("subprogram", e.subprogram);
  v("place", e.place);
  v("mutant", e.mutant);
}
template <class V>
void visit_fields(const V& v, PlanTried& e) {
  v("parts", e.parts);
  v("saved_ms", e.saved_ms);
  v("accepted", e.accepted);
  v("reason", e.reason);
  v("ratio", e.ratio);
  v("original_ms", e.original_ms);
  v("optimized_ms", e.optimized_ms);
}

// A structured binding must name every member: one that is added is not forgotten here.
template <class V>
void visit_fields(const V& v, SplitOptions& x) {
  auto& [max_operators, max_sets] = x;
  v("max_operators", max_operators);
  v("max_sets", max_sets);
}
template <class V>
void visit_fields(const V& v, StateTaken& e) {
  v("state", e.state);
  v("cost_ms", e.cost_ms);
}
template <class V>
void visit_fields(const V& v, StateReached& e) {
  v("state", e.state);
  v("parent", e.parent);
  v("rule", e.rule);
  v("place", e.place);
  v("cost_ms", e.cost_ms);
  v("digest", e.digest);
}
template <class V>
void visit_fields(const V& v, StateDropped& e) {
  v("parent", e.parent);
  v("rule", e.rule);
  v("place", e.place);
  v("why", e.why);
}
template <class V>
void visit_fields(const V& v, RuleRefused& e) {
  v("rule", e.rule);
  v("place", e.place);
  v("outcome", e.outcome);
  v("why", e.why);
}
template <class V>
void visit_fields(const V& v, SaturationStarted& e) {
  v("classes", e.classes);
  v("nodes", e.nodes);
  v("rules", e.rules);
}
template <class V>
void visit_fields(const V& v, RuleApplied& e) {
  v("iteration", e.iteration);
  v("rule", e.rule);
  v("matches", e.matches);
  v("merged", e.merged);
  v("made", e.made);
}
template <class V>
void visit_fields(const V& v, EGraphCounted& e) {
  v("iteration", e.iteration);
  v("classes", e.classes);
  v("nodes", e.nodes);
  v("bytes", e.bytes);
  v("banned", e.banned);
  v("best_ms", e.best_ms);
}
template <class V>
void visit_fields(const V& v, SaturationEnded& e) {
  v("iterations", e.iterations);
  v("why", e.why);
}
template <class V>
void visit_fields(const V& v, Extracted& e) {
  v("extractor", e.extractor);
  v("cost_ms", e.cost_ms);
  v("bound_ms", e.bound_ms);
  v("optimal", e.is_optimal);
  v("why", e.why);
}
template <class V>
void visit_fields(const V& v, WayFound& e) {
  v("saved_ms", e.saved_ms);
  v("way", e.way);
}
template <class V>
void visit_fields(const V& v, SolverAnswered& e) {
  v("program", e.program);
  v("error", e.error);
  v("optimal", e.is_optimal);
  v("columns", e.columns);
  v("taken", e.taken);
  v("values", e.values);
  v("bound", e.bound);
  v("seconds", e.seconds);
}
template <class V>
void visit_fields(const V& v, TreeNodeReached& e) {
  v("node", e.node);
  v("parent", e.parent);
  v("rule", e.rule);
  v("cost_ms", e.cost_ms);
  v("saturated", e.is_saturated);
}
template <class V>
void visit_fields(const V& v, TreeUpdated& e) {
  v("node", e.node);
  v("visits", e.visits);
  v("value", e.value);
}
template <class V>
void visit_fields(const V& v, OperatorMeasured& e) {
  v("digest", e.digest);
  v("what", e.what);
  v("ms", e.ms);
}
template <class V>
void visit_fields(const V& v, BlockTaken& e) {
  v("block", e.block);
  v("operators", e.operators);
  v("places", e.places);
}
template <class V>
void visit_fields(const V& v, ActionChosen& e) {
  v("node", e.node);
  v("rule", e.rule);
  v("mean", e.mean);
}

template <class V>
void visit_fields(const V& v, GeneratorConfig& x) {
  auto& [depth, moves, max_steps, seed, positions] = x;
  v("depth", depth);
  v("moves", moves);
  v("max_steps", max_steps);
  v("seed", seed);
  v("positions", positions);
}
template <class V>
void visit_fields(const V& v, MachineModel& x) {
  auto& [multiply_adds_per_ms, element_functions_per_ms, bytes_per_ms, ms_per_operator, threads] =
      x;
  v("multiply_adds_per_ms", multiply_adds_per_ms);
  v("element_functions_per_ms", element_functions_per_ms);
  v("bytes_per_ms", bytes_per_ms);
  v("ms_per_operator", ms_per_operator);
  v("threads", threads);
}
template <class V>
void visit_fields(const V& v, SearchConfig& x) {
  auto& [seed, threads, max_steps, rounds, heap, only, exclude, worth_measuring,
         worth_in_other_orders, reach, positions, log2_error, split, generator, later_steps,
         later_sources, machine] = x;
  v("seed", seed);
  v("threads", threads);
  v("max_steps", max_steps);
  v("rounds", rounds);
  v("heap", heap);
  v("only", only);
  v("exclude", exclude);
  v("worth_measuring", worth_measuring);
  v("worth_in_other_orders", worth_in_other_orders);
  v("reach", reach);
  v("positions", positions);
  v("log2_error", log2_error);
  v("split", split);
  v("generator", generator);
  v("later_steps", later_steps);
  v("later_sources", later_sources);
  v.later("machine", machine);
}
template <class V>
void visit_fields(const V& v, UsedRule& x) {
  v("id", x.id);
  v("condition", x.condition);
}
template <class V>
void visit_fields(const V& v, UsedRules& x) {
  v("set", x.set);
  v("digest", x.digest);
  v("rules", x.rules);
}
template <class V>
void visit_fields(const V& v, TasoConfig& x) {
  auto& [seed, threads, rules, blocks, measured_costs, alpha, states, plans, log2_error] = x;
  v("seed", seed);
  v("threads", threads);
  v("rules", rules);
  v("blocks", blocks);
  v("measured_costs", measured_costs);
  v("alpha", alpha);
  v("states", states);
  v("plans", plans);
  v("log2_error", log2_error);
}
namespace egraph {
template <class V>
void visit_fields(const V& v, SaturationLimits& x) {
  auto& [nodes, iterations, k_multi, matches, cycles] = x;
  v("nodes", nodes);
  v("iterations", iterations);
  v("k_multi", k_multi);
  v("matches", matches);
  v("cycles", cycles);
}
template <class V>
void visit_fields(const V& v, TreeLimits& x) {
  auto& [budget, depth, coin, exploration, reuse] = x;
  v("budget", budget);
  v("depth", depth);
  v("coin", coin);
  v("exploration", exploration);
  v("reuse", reuse);
}
}  // namespace egraph
template <class V>
void visit_fields(const V& v, EqsatConfig& x) {
  auto& [seed, threads, rules, blocks, measured_costs, limits, extract, ilp_seconds, plans,
         log2_error] = x;
  v("seed", seed);
  v("threads", threads);
  v("rules", rules);
  v("blocks", blocks);
  v("measured_costs", measured_costs);
  v("limits", limits);
  v("extract", extract);
  v("ilp_seconds", ilp_seconds);
  v("plans", plans);
  v("log2_error", log2_error);
}
template <class V>
void visit_fields(const V& v, MctsConfig& x) {
  auto& [seed, threads, rules, blocks, measured_costs, limits, tree, main_extract, extract,
         ilp_seconds, plans, log2_error] = x;
  v("seed", seed);
  v("threads", threads);
  v("rules", rules);
  v("blocks", blocks);
  v("measured_costs", measured_costs);
  v("limits", limits);
  v("tree", tree);
  v("main_extract", main_extract);
  v("extract", extract);
  v("ilp_seconds", ilp_seconds);
  v("plans", plans);
  v("log2_error", log2_error);
}

// Which search it is stands there for every one but the first that there was.
inline void visit_search(const journal::FieldWriter& v, AnySearchConfig& x) {
  if (!std::holds_alternative<SearchConfig>(x)) v("search", std::string(name_of(x)));
  std::visit([&](auto& config) { v("config", config); }, x);
}
// The alternative of that name, by its number.
template <std::size_t N = 0>
void emplace_search(std::string_view name, AnySearchConfig& x) {
  if constexpr (N == std::variant_size_v<AnySearchConfig>) {
    throw journal::BadLine("no search is called \"" + printable(name) + "\"");
  } else {
    x.emplace<N>();
    if (name_of(x) != name) emplace_search<N + 1>(name, x);
  }
}
inline void visit_search(const journal::FieldReader& v, AnySearchConfig& x) {
  std::string name(name_of(SearchConfig{}));
  if (v.json.is_object() && v.json.contains("search")) v("search", name);
  emplace_search(name, x);
  std::visit([&](auto& config) { v("config", config); }, x);
}
template <class V>
void visit_fields(const V& v, JournalHeader& x) {
  v("tool", x.tool);
  v("model", x.model);
  v("digest", x.digest);
  v("dimensions", x.dimensions);
  v("target", x.target);
  v("runtime", x.runtime);
  v("version", x.version);
  v("device", x.device);
  v("threads", x.threads);
  v("budget_s", x.budget_s);
  visit_search(v, x.config);
  v("proof_budget", x.proof_budget);
  v("max_rel_error", x.max_rel_error);
  v("max_growth", x.max_growth);
  v("input_data", x.input_data);
}

}  // namespace pet
