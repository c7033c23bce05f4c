#include "verify/rounding/rounding_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

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

// What the errors of the mutant are held against, by element.
struct Limit {
  std::vector<double> errors;  // of the original; not a number where nothing is claimed
  // Errors as large leave nothing, where enough is left of the original; else infinite.
  std::vector<double> nothing_left;
};

// What is 0 everywhere has to be nothing in floats.
Limit limit_of(const Groups& groups, const std::vector<double>& values,
               std::vector<double> errors) {
  constexpr double kOneRounding = 0x1p-24;
  constexpr double kEnough = 0x1p-8;   // an error of so much of the value leaves enough
  constexpr double kNothing = 0x1p-2;  // and one of so much nothing
  constexpr double kByChance = 16;     // times
  std::vector<Mean> of_group(groups.number());
  std::vector<Mean> sizes(groups.number());
  std::vector<Mean> drawn(groups.number());
  Mean of_all;
  Mean all_sizes;
  Mean all_drawn;
  Limit out{{}, std::vector<double>(errors.size(), INFINITY)};
  const bool is_zero = std::ranges::all_of(values, [](double x) { return x == 0; });
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double size = std::abs(values[i]);
    out.errors.push_back(is_held(values[i], errors[i]) ? std::max(errors[i], size) : NAN);
    if (!(size >= kSmallestFloat) || std::isnan(out.errors[i])) continue;
    sizes[groups.of(i)].include(size);
    drawn[groups.of(i)].include(errors[i]);
    all_sizes.include(size);
    all_drawn.include(errors[i]);
    of_group[groups.of(i)].include(out.errors[i]);
    of_all.include(out.errors[i]);
  }
  const double relative = all_sizes.value() > 0 ? all_drawn.value() / all_sizes.value() : 0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (std::isnan(out.errors[i])) continue;
    const double size = std::max(std::abs(values[i]), sizes[groups.of(i)].value() * kNothingBeside);
    // What is drawn a few times is now and then smaller than it is, and a channel may have one
    // rounding for all its elements: others say how much, up to what chance explains.
    const double own = std::max(errors[i], drawn[groups.of(i)].value());
    const double error = std::max(own, std::min(relative * size, own * kByChance));
    if (error * kOneRounding <= size * kEnough && size >= kSmallestFloat)
      out.nothing_left[i] = size * kNothing / kOneRounding;
    const double mean = of_group[groups.of(i)].value();
    out.errors[i] = std::max(out.errors[i], (mean > 0 ? mean : of_all.value()) * kNothingBeside);
    if (of_all.value() == 0)
      out.errors[i] = is_zero ? std::max(out.errors[i], kSmallestFloat) : NAN;
  }
  return out;
}

double ratio_of(double mutant, double original) {
  if (std::isnan(original) || mutant <= original) return 1;
  return std::isfinite(mutant) ? mutant / original : INFINITY;
}

// `is_finite`: all that the original computes. Where it has undefined or infinite numbers a mutant
// may well have 0 times them, or read them in another order.
double worst_ratio(const DrawnErrors& mine, const DrawnErrors& theirs, const Limit& limit,
                   std::span<const char> where, bool is_finite) {
  // Doubles round as well, and what they make of equal values differs by as much.
  constexpr double kOneRounding = 0x1p-53;
  double worst = 1;
  for (std::size_t i = 0; i < limit.errors.size(); ++i) {
    if (!where.empty() && where[i] != static_cast<char>(Mark::Equal)) continue;
    const double value = mine.values[i];
    const double seen = std::abs(value - theirs.values[i]) / kOneRounding;
    const double error = std::isfinite(value) ? std::max(mine.errors[i], seen) : INFINITY;
    if (!is_finite && (std::isnan(value) || std::isnan(error))) continue;
    worst = std::max(worst, ratio_of(error, limit.errors[i]));
    if (!std::isnan(limit.errors[i]) && error >= limit.nothing_left[i]) return INFINITY;
  }
  return worst;
}

// Of the elements that are equal, if there are any.
bool has_number(const Limit& limit, std::span<const char> where) {
  bool has_equal = false;
  for (std::size_t i = 0; i < limit.errors.size(); ++i) {
    if (!where.empty() && where[i] != static_cast<char>(Mark::Equal)) continue;
    has_equal = true;
    if (!std::isnan(limit.errors[i])) return true;
  }
  return !has_equal;
}

class Comparison {
 public:
  Comparison(const PairCode& programs, const std::vector<EqualTensors>& tensors, const Digest& seed,
             std::size_t threads, const std::stop_token& stop)
      : programs_(programs),
        seed_(seed),
        threads_(threads),
        stop_(stop),
        theirs_(programs.original().graph().nodes().size(), 0),
        mine_(programs.mutant().graph().nodes().size(), 0) {
    for (const EqualTensors& pair : tensors) {
      theirs_[pair.original.index()] = 1;
      mine_[pair.mutant.index()] = 1;
      by_mutant_.emplace(pair.mutant, &pair);
    }
  }

  Status include(std::span<const Draw> draws) {
    std::map<NodeId, std::vector<DrawnErrors>> theirs;
    const auto keep = [&](NodeId id, std::vector<DrawnErrors> drawn) -> Status {
      theirs.emplace(id, std::move(drawn));
      return Done{};
    };
    const auto finite =
        noisy_run(programs_.original(), theirs_, draws, seed_, threads_, stop_, keep);
    if (!finite) return finite.error();
    const auto compare = [&](NodeId id, const std::vector<DrawnErrors>& drawn) -> Status {
      const auto [first, last] = by_mutant_.equal_range(id);
      for (auto it = first; it != last; ++it) {
        const EqualTensors& pair = *it->second;
        const auto original = theirs.find(pair.original);
        if (original == theirs.end()) continue;
        const Shape& shape = *programs_.original().graph().node(pair.original).type.shape;
        const Groups& groups = groups_.try_emplace(&pair, shape, pair.cuts).first->second;
        bool& is_seen = seen_[&pair];
        for (std::size_t draw = 0; draw < drawn.size(); ++draw) {
          if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
          const DrawnErrors& there = original->second[draw];
          const Limit limit = limit_of(groups, there.values, there.errors);
          is_seen = is_seen || has_number(limit, pair.where);
          worst_ =
              std::max(worst_, worst_ratio(drawn[draw], there, limit, pair.where, (*finite)[draw]));
        }
      }
      return Done{};
    };
    const auto done = noisy_run(programs_.mutant(), mine_, draws, seed_, threads_, stop_, compare);
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
  const PairCode& programs_;
  const Digest& seed_;
  std::size_t threads_;
  const std::stop_token& stop_;
  std::vector<char> theirs_;  // by node, whether it is looked at
  std::vector<char> mine_;
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
                                     const std::vector<EqualTensors>& tensors, const Digest& seed,
                                     std::size_t threads, const std::stop_token& stop) {
  // Of programs so small an operator takes longer to begin than to finish.
  constexpr double kSmall = 0x1p17;  // elements
  Comparison comparison(programs, tensors, seed, threads, stop);
  const auto draws = draws_of(programs.original().graph());
  const std::size_t at_once = programs.elements() < kSmall ? draws.size() : 1;
  for (std::size_t first = 0; first < draws.size(); first += at_once) {
    if (auto done = comparison.include(std::span(draws).subspan(first, at_once)); !done)
      return std::move(done).error();
  }
  return comparison.result();
}

}  // namespace pet
