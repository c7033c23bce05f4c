#include "verify/rounding_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "verify/channels.h"

namespace pet {
namespace {

constexpr double kLargestFloat = std::numeric_limits<float>::max();
constexpr double kSmallestFloat = std::numeric_limits<float>::min();
// An element this much smaller than its channel's mean is held against that: what is left of a
// function far out is nothing to what it is elsewhere.
constexpr double kNothingBeside = 0x1p-4;

// Nothing is claimed of what floats do not hold.
bool is_held(double value, double error) {
  return std::abs(value) <= kLargestFloat && std::isfinite(error);
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

}  // namespace

Result<double> growth_of_errors(const PairCode& programs, const std::vector<EqualTensors>& tensors,
                                const Digest& seed, std::size_t threads,
                                const std::stop_token& stop) {
  const Graph& original = programs.original().graph();
  const Graph& mutant = programs.mutant().graph();
  std::vector<char> theirs(original.nodes().size(), 0);
  std::vector<char> mine(mutant.nodes().size(), 0);
  std::multimap<NodeId, const EqualTensors*> by_mutant;
  for (const EqualTensors& pair : tensors) {
    theirs[pair.original.index()] = 1;
    mine[pair.mutant.index()] = 1;
    by_mutant.emplace(pair.mutant, &pair);
  }
  std::map<NodeId, std::vector<std::vector<double>>> limits;  // by draw
  auto done =
      noisy_run(programs.original(), theirs, seed, threads, stop,
                [&](NodeId id, DrawnErrors errors) -> Status {
                  for (std::size_t draw = 0; draw < kErrorDraws; ++draw) {
                    limits[id].push_back(allowed(*original.node(id).type.shape, errors.values[draw],
                                                 std::move(errors.errors[draw])));
                  }
                  return Done{};
                });
  if (!done) return std::move(done).error();
  double worst = 1;
  done = noisy_run(
      programs.mutant(), mine, seed, threads, stop, [&](NodeId id, DrawnErrors errors) -> Status {
        const auto [first, last] = by_mutant.equal_range(id);
        for (auto it = first; it != last; ++it) {
          const EqualTensors& pair = *it->second;
          const auto limit = limits.find(pair.original);
          if (limit == limits.end()) continue;
          for (std::size_t draw = 0; draw < kErrorDraws; ++draw) {
            for (std::size_t i = 0; i < errors.errors[draw].size(); ++i) {
              if (!pair.where.empty() && pair.where[i] != 0) continue;
              // 0 times what is undefined elsewhere, for one.
              if (!std::isfinite(errors.values[draw][i])) continue;
              worst = std::max(worst, ratio_of(errors.errors[draw][i], limit->second[draw][i]));
            }
          }
        }
        return Done{};
      });
  if (!done) return std::move(done).error();
  return worst;
}

}  // namespace pet
