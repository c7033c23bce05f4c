#include "verify/rounding/conditioning.h"

#include <algorithm>
#include <cmath>

#include "verify/rounding/channels.h"
#include "verify/rounding/constant_sizes.h"
#include "verify/rounding/rounded_twice.h"
#include "verify/rounding/sizes.h"

namespace pet {
namespace {

constexpr double kSumsInAnotherOrder = 1 + 1e-9;

enum class ResultsCount { One, AsTheirArguments };

// A zero may be nothing but padding, and sums that cancel there are no worse than beside it, up to
// `most`.
Sizes zeros_raised(const Sizes& sizes, double most) {
  const LaneTensor<double>& each = sizes.of_classes();
  if (std::ranges::find(each.values(), 0.0) == each.values().end()) return sizes;
  LaneTensor<double> out = each;
  const Channels channels(out.shape);
  const auto channel_of = channels.of_elements(out.size());
  std::vector<double> smallest(channels.number(), INFINITY);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double size = out.lane(0)[i];
    double& x = smallest[channel_of[i]];
    if (size > 0) x = std::min(x, size);
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double x = smallest[channel_of[i]];
    double& size = out.lane(0)[i];
    if (size == 0 && std::isfinite(x)) size = std::min(x, most);
  }
  return sizes.with(std::move(out));
}

double ratio_of(double mutant, double original) {
  if (!std::isfinite(mutant)) return std::isfinite(original) ? INFINITY : 1;
  if (mutant <= original || mutant == 0) return 1;
  return original == 0 ? INFINITY : mutant / original;
}

// Ordinary inputs are not all 1: at 4 a high power is huge.
double input_size(ResultsCount count) { return count == ResultsCount::One ? 1 : 4; }

enum class Zeros { Raised, AsTheyAre };

class Comparison {
 public:
  Comparison(const ProvedPair& pair, SizePlan plan, Zeros zeros, std::size_t threads,
             const std::stop_token& stop, std::set<float> left_out = {})
      : pair_(pair),
        plan_(std::move(plan)),
        zeros_(zeros),
        threads_(threads),
        stop_(stop),
        left_out_(std::move(left_out)),
        constants_of_original_(pair.original),
        constants_of_mutant_(pair.mutant) {
    for (const auto* pairs : {&plan_.outputs, &plan_.partners}) {
      for (const auto& [mine, theirs] : *pairs) partners_.insert(theirs.begin(), theirs.end());
    }
  }

  Status run() {
    for (const ResultsCount count : {ResultsCount::One, ResultsCount::AsTheirArguments}) {
      if (auto done = run(count); !done) return done;
    }
    return Done{};
  }

  // Of what was compared with the original, node by node of the mutant.
  const std::map<NodeId, double>& worst() const { return worst_; }
  bool leaves_floats() const { return leaves_floats_; }
  bool both_beyond_floats() const { return both_beyond_floats_; }
  bool strays() const { return strays_ || farthest_ > kLargestGrowth; }

 private:
  Status run(ResultsCount count) {
    in_floats_ = count == ResultsCount::One;
    sizes_.clear();
    kept_.clear();
    kept_results_.clear();
    largest_zero_ = count == ResultsCount::One ? 1 : INFINITY;
    plan_.arguments_by_value.forget_sizes();
    plan_.results_by_value.forget_sizes();
    if (auto done = measure_original(count); !done) return done;
    SizeRun::Given given;
    given.known = plan_.as_original;
    constants_of_mutant_.add_to(given.known);
    given.sizes = [this](NodeId id) -> const Sizes& {
      const Sizes* constant = constants_of_mutant_.of(id);
      return constant != nullptr ? *constant : kept_.at(in_original(pair_, id));
    };
    given.in_floats = in_floats_;
    given.input = input_size(count);
    given.left_out = left_out_;
    given.results = [this](NodeId id, const auto&) { return results_of_mutant(id); };
    SizeRun sizes_of_mutant(pair_.store.code().mutant(), std::move(given), threads_, stop_);
    const auto wanted = constants_of_mutant_.wanted_beside(plan_.compared, sizes_of_mutant);
    auto done = sizes_of_mutant.run(wanted, [&](NodeId id, const Sizes& sizes) -> Status {
      constants_of_mutant_.keep(sizes_of_mutant, id, sizes);
      return plan_.compared[id.index()] != 0 ? compare(id, sizes) : Status(Done{});
    });
    for (std::size_t i = 0; i < original_extremes_.size(); ++i) {
      const Extremes mine = sizes_of_mutant.extremes_on_the_way_to(pair_.mutant.outputs()[i]);
      leaves_floats_ = leaves_floats_ || mine.leaves_floats(original_extremes_[i]);
      strays_ = strays_ || mine.strays_from(original_extremes_[i]);
    }
    return done;
  }

  Status measure_original(ResultsCount count) {
    SizeRun::Given given;
    given.known.assign(pair_.original.nodes().size(), 0);
    constants_of_original_.add_to(given.known);
    given.sizes = [this](NodeId id) -> const Sizes& { return *constants_of_original_.of(id); };
    given.results_need_arguments = count == ResultsCount::AsTheirArguments;
    given.in_floats = in_floats_;
    given.input = input_size(count);
    given.left_out = left_out_;
    given.results = [this, count](NodeId id, const std::vector<const Sizes*>& operands) {
      return results_of_original(id, operands, count);
    };
    SizeRun sizes_of_original(pair_.store.code().original(), std::move(given), threads_, stop_);
    const auto wanted = constants_of_original_.wanted_beside(plan_.measured, sizes_of_original);
    auto done = sizes_of_original.run(wanted, [&](NodeId id, const Sizes& sizes) {
      constants_of_original_.keep(sizes_of_original, id, sizes);
      if (plan_.measured[id.index()] != 0) keep(id, sizes);
      return Status(Done{});
    });
    original_extremes_.clear();
    for (const NodeId output : pair_.original.outputs())
      original_extremes_.push_back(sizes_of_original.extremes_on_the_way_to(output));
    return done;
  }

  Result<std::vector<Sizes>> results_of_original(NodeId id,
                                                 const std::vector<const Sizes*>& operands,
                                                 ResultsCount count) {
    auto results = count == ResultsCount::One ? results_of_one(pair_.original, id)
                                              : results_of_arguments(pair_.store.code().original(),
                                                                     id, operands, threads_);
    if (!results) return results;
    if (plan_.kept_results.contains(id)) kept_results_[id] = *results;
    if (const auto it = plan_.result_matches.find(id); it != plan_.result_matches.end()) {
      for (std::size_t k = 0; k < results->size(); ++k)
        plan_.results_by_value.offer(it->second[k], (*results)[k].of_elements().values());
    }
    return results;
  }

  void keep(NodeId id, const Sizes& sizes) {
    if (plan_.kept.contains(id)) kept_[id] = sizes;
    const auto matches = plan_.argument_matches.find(id);
    const bool is_partner = partners_.contains(id);
    if (!is_partner && matches == plan_.argument_matches.end()) return;
    // All alike: there is no zero with something else beside it.
    const bool is_raised = zeros_ == Zeros::Raised && !sizes.everywhere();
    Sizes raised = is_raised ? zeros_raised(sizes, largest_zero_) : sizes;
    if (matches != plan_.argument_matches.end())
      plan_.arguments_by_value.offer(matches->second, raised.of_elements().values());
    if (is_partner) sizes_[id] = std::move(raised);
  }

  // Of a result that the original has nowhere nothing bounds the size: exp(x + 100) - exp(x + 100)
  // is 0 over the reals alone.
  Result<std::vector<Sizes>> results_of_mutant(NodeId id) const {
    const auto it = plan_.results.find(id);
    if (it == plan_.results.end()) {
      const auto kept = kept_results_.find(in_original(pair_, id));
      return kept == kept_results_.end() ? std::vector<Sizes>{} : kept->second;
    }
    std::vector<Sizes> out;
    const auto& applications = pair_.mutant.meaning(id).applications;
    for (std::size_t k = 0; k < applications.size(); ++k) {
      LaneTensor<double> results(applications[k].out, 1);
      for (std::size_t i = 0; i < results.size(); ++i) {
        const double size = plan_.results_by_value.size(it->second[k][i]);
        results.lane(0)[i] = size < 0 ? INFINITY : size;
      }
      out.emplace_back(std::move(results));
    }
    return out;
  }

  Status compare(NodeId id, const Sizes& sizes) {
    if (const auto it = plan_.outputs.find(id); it != plan_.outputs.end()) {
      for (const NodeId theirs : it->second) {
        const auto equal = where_equal(id, theirs, sizes);
        if (!equal) return equal.error();
        compare_with(id, theirs, *equal);
      }
    }
    if (const auto it = plan_.partners.find(id); it != plan_.partners.end()) {
      for (const NodeId theirs : it->second) compare_with(id, theirs, sizes);
    }
    if (const auto it = plan_.alone.find(id); it != plan_.alone.end()) {
      const LaneTensor<double> mine = sizes.of_elements();
      for (std::size_t i = 0; i < mine.size(); ++i) {
        const double theirs = plan_.arguments_by_value.size(it->second[i]);
        // What only the mutant applies functions to makes results without a bound: they decide.
        if (theirs >= 0) note(id, ratio(mine.lane(0)[i], theirs));
      }
    }
    return Done{};
  }

  double ratio(double mutant, double original) {
    if (in_floats_ && !std::isfinite(mutant) && !std::isfinite(original))
      both_beyond_floats_ = true;
    const double ratio = ratio_of(mutant, original);
    if (original > 0) farthest_ = std::max(farthest_, ratio);
    return ratio;
  }

  void note(NodeId mine, double ratio) {
    double& worst = worst_.try_emplace(mine, 1).first->second;
    worst = std::max(worst, ratio);
  }

  void compare_with(NodeId mine, NodeId theirs, const Sizes& sizes) {
    double worst = 1;
    for_each_pair(sizes, sizes_.at(theirs),
                  [&](double x, double y) { worst = std::max(worst, ratio(x, y)); });
    note(mine, worst);
  }

  // The sizes of an output where it is equal to the original's; 0 elsewhere, where nothing is
  // claimed.
  Result<Sizes> where_equal(NodeId mine, NodeId theirs, const Sizes& sizes) const {
    if (pair_.table.of_mutant(mine) == pair_.table.of_original(theirs)) return sizes;
    const auto x = pair_.store.residues(pair_.table.computed_by_mutant(mine));
    if (!x) return x.error();
    const auto y = pair_.store.residues(pair_.table.of_original(theirs));
    if (!y) return y.error();
    LaneTensor<double> out = sizes.of_elements();
    for (std::size_t lane = 0; lane < (*x)->lanes(); ++lane) {
      for (std::size_t i = 0; i < (*x)->size(); ++i) {
        if ((*x)->lane(lane)[i] != (*y)->lane(lane)[i]) out.lane(0)[i] = 0;
      }
    }
    return Sizes(std::move(out));
  }

  const ProvedPair& pair_;
  SizePlan plan_;
  Zeros zeros_;
  std::size_t threads_;
  const std::stop_token& stop_;
  std::set<float> left_out_;  // numbers that count 1
  ConstantSizes constants_of_original_, constants_of_mutant_;
  std::set<NodeId> partners_;  // nodes of the original that are compared place by place

  // In the run that is going on.
  bool in_floats_ = false;
  double largest_zero_ = 1;  // of the original
  std::map<NodeId, Sizes> sizes_;
  std::map<NodeId, Sizes> kept_;
  std::map<NodeId, std::vector<Sizes>> kept_results_;
  std::vector<Extremes> original_extremes_;  // by output
  std::map<NodeId, double> worst_;
  bool leaves_floats_ = false;
  bool both_beyond_floats_ = false;
  bool strays_ = false;
  double farthest_ = 1;  // where the original has more than nothing
};

// Numbers of the original, as a mask of -10000 is, beside which nobody sees what sums have lost of
// the rest. (Where a mask is not the same everywhere it is 0 somewhere: there it is seen.)
std::set<float> far_numbers(const Graph& original) {
  constexpr float kOrdinary = 16;
  std::set<float> out;
  for (const NodeId id : original.ids()) {
    const Tensor* tensor = original.node(id).constant();
    const auto number = tensor == nullptr ? std::nullopt : the_number(*tensor);
    if (number && std::abs(*number) > kOrdinary) out.insert(std::abs(*number));
  }
  return out;
}

// Without those.
Result<bool> is_much_hidden(const ProvedPair& pair, std::size_t threads,
                            const std::stop_token& stop) {
  auto numbers = far_numbers(pair.original);
  if (numbers.empty()) return false;
  auto plan = plan_sizes(pair, std::vector<char>(pair.mutant.nodes().size(), 0), stop);
  if (!plan) return std::move(plan).error();
  Comparison without(pair, *std::move(plan), Zeros::Raised, threads, stop, std::move(numbers));
  if (auto done = without.run(); !done) return std::move(done).error();
  return without.strays() || std::ranges::any_of(without.worst(), [](const auto& node) {
           return node.second > kLargestGrowth;
         });
}

// Of what follows the plan only outputs that differ somewhere are looked at again.
void release_residues(const ProvedPair& pair) {
  std::set<ValueId> outputs;
  for (const NodeId id : pair.original.outputs()) outputs.insert(pair.table.of_original(id));
  for (const NodeId id : pair.mutant.outputs()) outputs.insert(pair.table.computed_by_mutant(id));
  pair.store.release_all_but(outputs);
}

}  // namespace

namespace {

// One look at all that is compared: how far a value grows that both have counts as a result's does.
Result<Growth> growth_of_settled(const ProvedPair& pair, std::size_t threads,
                                 const std::stop_token& stop) {
  auto plan = plan_settled(pair, stop);
  if (!plan) return std::move(plan).error();
  const auto hidden = is_much_hidden(pair, threads, stop);
  if (!hidden) return hidden.error();
  Comparison all(pair, *std::move(plan), Zeros::Raised, threads, stop);
  if (auto done = all.run(); !done) return std::move(done).error();
  Growth out;
  if (all.leaves_floats()) out.worst = INFINITY;
  for (const auto& [id, ratio] : all.worst()) out.worst = std::max(out.worst, ratio);
  out.strays = all.strays() || *hidden;
  out.both_beyond_floats = all.both_beyond_floats();
  return out;
}

}  // namespace

Result<Growth> growth(const ProvedPair& pair, std::size_t threads, const std::stop_token& stop) {
  if (pair.is_settled) return growth_of_settled(pair, threads, stop);
  // Where the mutant's own way to a value of the original has sums no larger than the original's,
  // all that follows is as it is there: ordinary mutants are done with that.
  auto first = plan_rejoined(pair, stop);
  if (!first) return std::move(first).error();
  Comparison rejoined(pair, *std::move(first), Zeros::AsTheyAre, threads, stop);
  if (auto done = rejoined.run(); !done) return std::move(done).error();
  std::vector<char> tame(pair.mutant.nodes().size(), 0);
  for (const auto& [id, worst] : rejoined.worst())
    tame[id.index()] = worst <= kSumsInAnotherOrder ? 1 : 0;
  auto second = plan_sizes(pair, tame, stop);
  if (!second) return std::move(second).error();
  const auto twice = has_rounded_twice(pair, stop);
  if (!twice) return twice.error();
  const auto hidden = is_much_hidden(pair, threads, stop);
  if (!hidden) return hidden.error();
  release_residues(pair);
  Comparison all(pair, *std::move(second), Zeros::Raised, threads, stop);
  if (auto done = all.run(); !done) return std::move(done).error();
  Growth out;
  if (rejoined.leaves_floats() || all.leaves_floats()) out.worst = INFINITY;
  for (const auto& [id, ratio] : all.worst()) out.worst = std::max(out.worst, ratio);
  out.strays = rejoined.strays() || all.strays() || *twice || *hidden;
  out.both_beyond_floats = rejoined.both_beyond_floats() || all.both_beyond_floats();
  return out;
}

}  // namespace pet
