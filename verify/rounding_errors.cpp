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
// is claimed.
std::vector<double> allowed(const Shape& shape, const std::vector<double>& values,
                            std::vector<double> errors) {
  const Channels channels(shape);
  std::vector<Mean> of_channel(channels.number());
  Mean of_all;
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
    if (of_all.value() == 0) errors[i] = NAN;
  }
  return errors;
}

double ratio_of(double mutant, double original) {
  if (std::isnan(original) || mutant <= original) return 1;
  return std::isfinite(mutant) ? mutant / original : INFINITY;
}

using Limits = std::vector<std::vector<double>>;  // by draw and element

Limits limits_of(const Shape& shape, DrawnErrors drawn) {
  Limits out;
  for (std::size_t draw = 0; draw < kErrorDraws; ++draw)
    out.push_back(allowed(shape, drawn.values[draw], std::move(drawn.errors[draw])));
  return out;
}

// `finite`: of the original. Where it has undefined or infinite numbers a mutant may well have 0
// times them, or read them in another order.
double worst_ratio(const DrawnErrors& drawn, const Limits& limits, std::span<const char> where,
                   const FiniteDraws& finite) {
  double worst = 1;
  for (std::size_t draw = 0; draw < kErrorDraws; ++draw) {
    for (std::size_t i = 0; i < drawn.errors[draw].size(); ++i) {
      if (!where.empty() && where[i] != static_cast<char>(Mark::Equal)) continue;
      const double value = drawn.values[draw][i];
      const double error = std::isfinite(value) ? drawn.errors[draw][i] : INFINITY;
      if (!finite[draw] && (std::isnan(value) || std::isnan(error))) continue;
      worst = std::max(worst, ratio_of(error, limits[draw][i]));
    }
  }
  return worst;
}

}  // namespace

Result<double> growth_of_errors(const PairCode& programs, const std::vector<EqualTensors>& tensors,
                                const Digest& seed, std::size_t threads,
                                const std::stop_token& stop) {
  const Graph& original = programs.original().graph();
  std::vector<char> theirs(original.nodes().size(), 0);
  std::vector<char> mine(programs.mutant().graph().nodes().size(), 0);
  std::multimap<NodeId, const EqualTensors*> by_mutant;
  for (const EqualTensors& pair : tensors) {
    theirs[pair.original.index()] = 1;
    mine[pair.mutant.index()] = 1;
    by_mutant.emplace(pair.mutant, &pair);
  }
  std::map<NodeId, Limits> limits;
  const auto keep = [&](NodeId id, DrawnErrors drawn) -> Status {
    limits.emplace(id, limits_of(*original.node(id).type.shape, std::move(drawn)));
    return Done{};
  };
  const auto finite = noisy_run(programs.original(), theirs, seed, threads, stop, keep);
  if (!finite) return finite.error();
  double worst = 1;
  const auto compare = [&](NodeId id, const DrawnErrors& drawn) -> Status {
    const auto [first, last] = by_mutant.equal_range(id);
    for (auto it = first; it != last; ++it) {
      const auto limit = limits.find(it->second->original);
      if (limit != limits.end())
        worst = std::max(worst, worst_ratio(drawn, limit->second, it->second->where, *finite));
    }
    return Done{};
  };
  if (auto done = noisy_run(programs.mutant(), mine, seed, threads, stop, compare); !done)
    return std::move(done).error();
  return worst;
}

}  // namespace pet
