#include "verify/rounding/rounding_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/util/parallel.h"
#include "verify/rounding/channels.h"
#include "verify/rounding/conditioning.h"
#include "verify/verdict/replay.h"

namespace pet {
namespace {

constexpr double kLargestFloat = std::numeric_limits<float>::max();
constexpr double kSmallestFloat = std::numeric_limits<float>::min();

// Nothing is claimed of what floats do not hold.
bool is_held(double value, double error) {
  return std::abs(value) <= kLargestFloat && error * 0x1p-24 <= kLargestFloat;
}

class Mean {
 public:
  void include(double x) {
    sum_ += x;
    ++number_;
  }
  double value() const { return number_ == 0 ? 0 : sum_ / number_; }

 private:
  double sum_ = 0;
  double number_ = 0;
};

// Which elements of a tensor are measures of each other's errors: channel by channel, and piece by
// piece of what was concatenated.
class Groups {
 public:
  Groups(const Shape& shape, const Cuts& cuts)
      : number_(Channels(shape).number()),
        of_(Channels(shape).of_elements(static_cast<std::size_t>(count(shape)))) {
    if (shape.empty() || cuts.ends.size() < 2) return;
    std::size_t inside = 1;
    for (std::size_t a = cuts.axis + 1; a < shape.size(); ++a)
      inside *= static_cast<std::size_t>(shape[a]);
    const auto extent = static_cast<std::size_t>(shape[cuts.axis]);
    for (std::size_t i = 0; i < of_.size(); ++i) {
      const auto at = static_cast<Dim>(i / inside % extent);
      const auto piece = std::ranges::upper_bound(cuts.ends, at) - cuts.ends.begin();
      of_[i] += static_cast<std::uint32_t>(number_) * static_cast<std::uint32_t>(piece);
    }
    number_ *= cuts.ends.size();
  }
  std::size_t number() const { return number_; }
  std::size_t of(std::size_t element) const { return of_[element]; }

 private:
  std::size_t number_;
  std::vector<std::uint32_t> of_;  // by element
};

// What the error of an element of the mutant is held against.
struct Limit {
  double error = NAN;  // of the original; not a number where nothing is claimed
  // An error as large leaves nothing, where enough is left of the original; else infinite.
  double nothing_left = INFINITY;
};

// What is 0 everywhere has to be nothing in floats.
class Limits {
 public:
  // Of what was drawn of the original. Where a stop was asked for they are none.
  // REQUIRES: both outlive this
  Limits(const Groups& groups, const DrawnErrors& drawn, const std::stop_token& stop)
      : groups_(groups),
        values_(drawn.values.values()),
        errors_(drawn.errors.values()),
        of_groups_(groups.number()) {
    for_each_part(values_.size(), 1, stop, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) include(i);
    });
    const double size = of_all_.size.value();
    relative_ = size > 0 ? of_all_.drawn.value() / size : 0;
  }

  std::size_t size() const { return values_.size(); }

  Limit operator[](std::size_t i) const {
    constexpr double kOneRounding = 0x1p-24;
    constexpr double kEnough = 0x1p-8;   // an error of so much of the value leaves enough
    constexpr double kNothing = 0x1p-2;  // and one of so much nothing
    constexpr double kByChance = 16;     // times
    Limit out{claimed(i)};
    if (std::isnan(out.error)) return out;
    const Means& group = of_groups_[groups_.of(i)];
    const double size = std::max(std::abs(values_[i]), group.size.value() * kNothingBeside);
    // What is drawn a few times is now and then smaller than it is, and a channel may have one
    // rounding for all its elements: others say how much, up to what chance explains.
    const double own = std::max(errors_[i], group.drawn.value());
    const double error = std::max(own, std::min(relative_ * size, own * kByChance));
    if (error * kOneRounding <= size * kEnough && size >= kSmallestFloat)
      out.nothing_left = size * kNothing / kOneRounding;
    const double mean = group.claimed.value() > 0 ? group.claimed.value() : of_all_.claimed.value();
    out.error = std::max(out.error, mean * kNothingBeside);
    if (of_all_.claimed.value() == 0)
      out.error = is_zero_ ? std::max(out.error, kSmallestFloat) : NAN;
    return out;
  }

 private:
  struct Means {
    Mean size;
    Mean drawn;
    Mean claimed;
  };

  // At least what floats make of the value itself.
  double claimed(std::size_t i) const {
    return is_held(values_[i], errors_[i]) ? std::max(errors_[i], std::abs(values_[i])) : NAN;
  }

  void include(std::size_t i) {
    const double size = std::abs(values_[i]);
    is_zero_ = is_zero_ && size == 0;
    const double error = claimed(i);
    if (!(size >= kSmallestFloat) || std::isnan(error)) return;
    for (Means* means : {&of_groups_[groups_.of(i)], &of_all_}) {
      means->size.include(size);
      means->drawn.include(errors_[i]);
      means->claimed.include(error);
    }
  }

  const Groups& groups_;
  std::span<const double> values_;
  std::span<const double> errors_;
  std::vector<Means> of_groups_;
  Means of_all_;
  double relative_ = 0;  // drawn errors of all, by their sizes
  bool is_zero_ = true;
};

double ratio_of(double mutant, double original) {
  if (std::isnan(original) || mutant <= original) return 1;
  return std::isfinite(mutant) ? mutant / original : INFINITY;
}

// `is_finite`: all that the original computes. Where it has undefined or infinite numbers a mutant
// may well have 0 times them, or read them in another order.
double worst_ratio(const DrawnErrors& mine, const DrawnErrors& theirs, const Limits& limits,
                   std::span<const char> where, bool is_finite, const std::stop_token& stop) {
  // Doubles round as well, and what they make of equal values differs by as much.
  constexpr double kOneRounding = 0x1p-53;
  const auto values = mine.values.values();
  const auto expected = theirs.values.values();
  const auto errors = mine.errors.values();
  double worst = 1;
  for_each_part(limits.size(), 1, stop, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (!where.empty() && where[i] != static_cast<char>(Mark::Equal)) continue;
      const double seen = std::abs(values[i] - expected[i]) / kOneRounding;
      const double error = std::isfinite(values[i]) ? std::max(errors[i], seen) : INFINITY;
      if (!is_finite && (std::isnan(values[i]) || std::isnan(error))) continue;
      const Limit limit = limits[i];
      worst = std::max(worst, ratio_of(error, limit.error));
      if (!std::isnan(limit.error) && error >= limit.nothing_left) worst = INFINITY;
    }
  });
  return worst;
}

// Of the elements that are equal, if there are any.
bool has_number(const Limits& limits, std::span<const char> where) {
  bool has_equal = false;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (!where.empty() && where[i] != static_cast<char>(Mark::Equal)) continue;
    has_equal = true;
    if (!std::isnan(limits[i].error)) return true;
  }
  return !has_equal;
}

class Comparison {
 public:
  Comparison(const PairCode& programs, const std::vector<EqualTensors>& tensors,
             const std::vector<Cuts>& cuts, const Digest& seed, std::size_t threads,
             const std::stop_token& stop)
      : programs_(programs),
        cuts_(cuts),
        stop_(stop),
        original_(programs.original(),
                  looked_at(programs.original(), tensors, &EqualTensors::original), seed, threads,
                  stop),
        mutant_(programs.mutant(), looked_at(programs.mutant(), tensors, &EqualTensors::mutant),
                seed, threads, stop) {
    for (const EqualTensors& pair : tensors) by_mutant_.emplace(pair.mutant, &pair);
  }

  Status include(std::span<const Draw> draws) {
    std::map<NodeId, std::vector<DrawnErrors>> theirs;
    const auto keep = [&](NodeId id, std::vector<DrawnErrors> drawn) -> Status {
      theirs.emplace(id, std::move(drawn));
      return Done{};
    };
    const auto finite = original_.run(draws, keep);
    if (!finite) return finite.error();
    const auto compare = [&](NodeId id, const std::vector<DrawnErrors>& drawn) -> Status {
      const auto [first, last] = by_mutant_.equal_range(id);
      for (auto it = first; it != last; ++it) {
        const EqualTensors& pair = *it->second;
        const auto original = theirs.find(pair.original);
        if (original == theirs.end()) continue;
        const Shape& shape = *programs_.original().graph().node(pair.original).type.shape;
        const Groups& groups =
            groups_.try_emplace(&pair, shape, cuts_[pair.original.index()]).first->second;
        bool& is_seen = seen_[&pair];
        for (std::size_t draw = 0; draw < drawn.size(); ++draw) {
          const DrawnErrors& there = original->second[draw];
          const Limits limits(groups, there, stop_);
          if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
          is_seen = is_seen || has_number(limits, pair.where);
          worst_ = std::max(
              worst_, worst_ratio(drawn[draw], there, limits, pair.where, (*finite)[draw], stop_));
          if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
        }
      }
      return Done{};
    };
    const auto done = mutant_.run(draws, compare);
    if (!done) return done.error();
    return Done{};
  }

  ErrorGrowth result() const {
    ErrorGrowth out{worst_, {}};
    for (const NodeId output : programs_.mutant().graph().outputs()) {
      const auto [first, last] = by_mutant_.equal_range(output);
      for (auto it = first; it != last; ++it) {
        const auto seen = seen_.find(it->second);
        if (seen != seen_.end() && !seen->second) out.unseen = output;
      }
    }
    return out;
  }

 private:
  static std::vector<char> looked_at(const GraphCode& program,
                                     const std::vector<EqualTensors>& tensors,
                                     NodeId EqualTensors::*of_program) {
    std::vector<char> out(program.graph().nodes().size(), 0);
    for (const EqualTensors& pair : tensors) out[(pair.*of_program).index()] = 1;
    return out;
  }

  const PairCode& programs_;
  const std::vector<Cuts>& cuts_;
  const std::stop_token& stop_;
  NoisyProgram original_, mutant_;
  std::multimap<NodeId, const EqualTensors*> by_mutant_;
  std::map<const EqualTensors*, Groups> groups_;
  double worst_ = 1;
  std::map<const EqualTensors*, bool> seen_;  // whether the original has a number somewhere
};

std::vector<Draw> draws_of(const Graph& graph) {
  Dim most = 0;
  for (const NodeId input : graph.inputs()) {
    const auto& shape = graph.node(input).type.shape;
    if (shape) most = std::max(most, count(*shape));
  }
  return draws_of_inputs(graph.inputs().size(), most);
}

}  // namespace

Result<ErrorGrowth> growth_of_errors(const PairCode& programs,
                                     const std::vector<EqualTensors>& tensors,
                                     const std::vector<Cuts>& cuts, const Digest& seed,
                                     std::size_t threads, const std::stop_token& stop,
                                     const std::function<void(double fraction)>& progress) {
  // Of programs so small an operator takes longer to begin than to finish.
  constexpr double kSmall = 0x1p17;  // elements
  Comparison comparison(programs, tensors, cuts, seed, threads, stop);
  const auto draws = draws_of(programs.original().graph());
  const std::size_t at_once = programs.elements() < kSmall ? draws.size() : 1;
  for (std::size_t first = 0; first < draws.size(); first += at_once) {
    progress(static_cast<double>(first) / static_cast<double>(draws.size()));
    if (auto done = comparison.include(std::span(draws).subspan(first, at_once)); !done)
      return std::move(done).error();
  }
  return comparison.result();
}

}  // namespace pet
