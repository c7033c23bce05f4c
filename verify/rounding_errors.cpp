#include "verify/rounding_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "verify/channels.h"
#include "verify/replay.h"

namespace pet {
namespace {

constexpr double kLargestFloat = std::numeric_limits<float>::max();
constexpr double kSmallestFloat = std::numeric_limits<float>::min();
// An element this much smaller than its channel's mean is held against that: what is left of a
// function far out is nothing to what it is elsewhere.
constexpr double kNothingBeside = 0x1p-4;

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

// The errors of the original that those of the mutant are held against; not a number where nothing
// is claimed. What is 0 everywhere has to be nothing in floats.
std::vector<double> allowed(const Shape& shape, const std::vector<double>& values,
                            std::vector<double> errors) {
  const Channels channels(shape);
  std::vector<Mean> of_channel(channels.number());
  Mean of_all;
  const bool is_zero = std::ranges::all_of(values, [](double x) { return x == 0; });
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double size = std::abs(values[i]);
    errors[i] = is_held(values[i], errors[i]) ? std::max(errors[i], size) : NAN;
    if (!(size >= kSmallestFloat) || std::isnan(errors[i])) continue;
    of_channel[channels.of(i)].include(errors[i]);
    of_all.include(errors[i]);
  }
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (std::isnan(errors[i])) continue;
    const double mean = of_channel[channels.of(i)].value();
    errors[i] = std::max(errors[i], (mean > 0 ? mean : of_all.value()) * kNothingBeside);
    if (of_all.value() == 0) errors[i] = is_zero ? std::max(errors[i], kSmallestFloat) : NAN;
  }
  return errors;
}

double ratio_of(double mutant, double original) {
  if (std::isnan(original) || mutant <= original) return 1;
  return std::isfinite(mutant) ? mutant / original : INFINITY;
}

using Limits = std::vector<std::vector<double>>;  // by draw and element

Limits limits_of(const Shape& shape, std::vector<DrawnErrors> drawn) {
  Limits out;
  for (DrawnErrors& one : drawn) out.push_back(allowed(shape, one.values, std::move(one.errors)));
  return out;
}

// `is_finite`: all that the original computes. Where it has undefined or infinite numbers a mutant
// may well have 0 times them, or read them in another order.
double worst_ratio(const DrawnErrors& drawn, const std::vector<double>& limits,
                   std::span<const char> where, bool is_finite) {
  double worst = 1;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (!where.empty() && where[i] != static_cast<char>(Mark::Equal)) continue;
    const double value = drawn.values[i];
    const double error = std::isfinite(value) ? drawn.errors[i] : INFINITY;
    if (!is_finite && (std::isnan(value) || std::isnan(error))) continue;
    worst = std::max(worst, ratio_of(error, limits[i]));
  }
  return worst;
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

  Result<double> worst(std::span<const Draw> draws) const {
    const Graph& original = programs_.original().graph();
    std::map<NodeId, Limits> limits;
    const auto keep = [&](NodeId id, std::vector<DrawnErrors> drawn) -> Status {
      limits.emplace(id, limits_of(*original.node(id).type.shape, std::move(drawn)));
      return Done{};
    };
    const auto finite =
        noisy_run(programs_.original(), theirs_, draws, seed_, threads_, stop_, keep);
    if (!finite) return finite.error();
    double worst = 1;
    const auto compare = [&](NodeId id, const std::vector<DrawnErrors>& drawn) -> Status {
      const auto [first, last] = by_mutant_.equal_range(id);
      for (auto it = first; it != last; ++it) {
        const auto limit = limits.find(it->second->original);
        if (limit == limits.end()) continue;
        for (std::size_t draw = 0; draw < drawn.size(); ++draw) {
          worst = std::max(worst, worst_ratio(drawn[draw], limit->second[draw], it->second->where,
                                              (*finite)[draw]));
        }
      }
      return Done{};
    };
    const auto done = noisy_run(programs_.mutant(), mine_, draws, seed_, threads_, stop_, compare);
    if (!done) return done.error();
    return worst;
  }

 private:
  const PairCode& programs_;
  const Digest& seed_;
  std::size_t threads_;
  const std::stop_token& stop_;
  std::vector<char> theirs_;  // by node, whether it is looked at
  std::vector<char> mine_;
  std::multimap<NodeId, const EqualTensors*> by_mutant_;
};

}  // namespace

Result<double> growth_of_errors(const PairCode& programs, const std::vector<EqualTensors>& tensors,
                                const Digest& seed, std::size_t threads,
                                const std::stop_token& stop) {
  // Of programs so small an operator takes longer to begin than to finish.
  constexpr double kSmall = 0x1p18;  // elements
  const Comparison comparison(programs, tensors, seed, threads, stop);
  if (programs.elements() < kSmall) return comparison.worst(kDraws);
  double worst = 1;
  for (const Draw& draw : kDraws) {
    const auto one = comparison.worst(std::span(&draw, 1));
    if (!one) return one;
    worst = std::max(worst, *one);
  }
  return worst;
}

}  // namespace pet
