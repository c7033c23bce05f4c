// Values with rounding errors that are drawn: of each draw one lane has none, and some lanes have
// errors, each its own. What one rounding is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>

#include "core/eval/lane_tensor.h"
#include "core/util/parallel.h"
#include "core/util/rng.h"

namespace pet {

using NoisyValues = LaneTensor<double>;

inline constexpr std::size_t kNoisyRuns = 3;  // a draw
// Of each draw the first lane has no errors.
inline constexpr std::size_t kLanesOfDraw = 1 + kNoisyRuns;
// One rounding, relative to what is rounded: far above those of doubles, far below what would make
// another number of a result.
inline constexpr double kRounding = 0x1p-40;

inline bool is_noisy(std::size_t lane) { return lane % kLanesOfDraw != 0; }

// Of the draw that a lane belongs to.
inline std::span<const double> exact_lane_of(std::size_t lane, const NoisyValues& values) {
  return values.lane(lane - lane % kLanesOfDraw);
}

inline bool is_float(double x) { return static_cast<double>(static_cast<float>(x)) == x; }

// Below the normal floats rounding errors get no smaller.
inline double rounded_as(double x) {
  constexpr double kSmallestNormal = std::numeric_limits<float>::min();
  return x == 0 ? 0 : std::max(std::abs(x), kSmallestNormal);
}

// Roundings in units of the largest: uniform, so that no two are the same.
class Roundings {
 public:
  explicit Roundings(std::uint64_t seed) : rng_(seed) {}
  double next() {
    if (left_ == 0) {
      bits_ = rng_.next();
      left_ = 4;
    }
    const auto low = static_cast<std::int16_t>(bits_);
    bits_ >>= 16U;
    --left_;
    return low * (kRounding / 0x1p15);
  }

 private:
  Rng rng_;
  std::uint64_t bits_ = 0;
  int left_ = 0;
};

// Goes through the lanes of one value, by several threads where they are long, and not to the end
// where a stop is asked for.
struct NoisyLanes {
  std::size_t threads = 1;
  const std::stop_token& stop;

  template <class F>
  void for_each(const NoisyValues& values, const F& look_at) const {
    constexpr std::size_t kLong = 4096;
    parallel_for(values.lanes(), values.size() > kLong ? threads : 1, [&](std::size_t lane) {
      if (!stop.stop_requested()) look_at(lane);
    });
  }
  template <class F>
  void for_each_noisy(const NoisyValues& values, const F& look_at) const {
    for_each(values, [&](std::size_t lane) {
      if (is_noisy(lane)) look_at(lane);
    });
  }
};

}  // namespace pet
