// Measuring one program against another: the samples, what they say, and the port through which a
// search asks.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/util/result.h"

namespace pet {

// What a device said of itself while it was timed.
struct DeviceClocks {
  int lowest_mhz = 0, highest_mhz = 0;
  bool throttled = false;  // for power or heat
  int others = 0;          // processes on it that are not ours
};
// Of two spans of time together.
std::optional<DeviceClocks> together(const std::optional<DeviceClocks>& a,
                                     const std::optional<DeviceClocks>& b);

// Times of two programs run in turn, in milliseconds; entry i of both is one round, in an order
// drawn at random.
struct PairTiming {
  std::vector<double> a_ms, b_ms;
  std::optional<DeviceClocks> clocks = {};  // of devices that say it
};

// How many times faster b is than a: the median over the rounds of a_ms/b_ms, and a bound on either
// side of it, each of which fails with the probability that was asked for.
struct Ratio {
  double median = 1.0;
  double low = 0.0;
  double high = 0.0;
};

enum class Decision {
  Faster,     // by more than the gain that was asked for
  Tie,        // not faster by that much
  Slower,     // slower at all
  Undecided,  // the samples do not tell yet
};

constexpr std::string_view to_string(Decision decision) {
  switch (decision) {
    case Decision::Faster:
      return "faster";
    case Decision::Tie:
      return "tie";
    case Decision::Slower:
      return "slower";
    case Decision::Undecided:
      return "undecided";
  }
  return "?";
}

struct Comparison {
  PairTiming timing;  // every sample the decision rests on
  Ratio ratio;        // of candidate against original, at the one-sided level of the whole test
  Decision decision =
      Decision::Undecided;  // Undecided: the cap or the time was reached; treat it as a tie
  double seconds = 0.0;     // spent measuring
};

inline bool was_stopped(const Result<Comparison>& answer) {
  return !answer && answer.error().kind == ErrorKind::Stopped;
}

// What was compared: digests of the bytes of both files, in hex.
struct ComparedFiles {
  std::string original, candidate;
  auto operator<=>(const ComparedFiles&) const = default;
};

// Several candidates and the original in one race (core/backend/race.h).
struct RaceResult {
  // By candidate, against the original, of the rounds in which both ran; an Error where it cannot
  // be run.
  std::vector<Result<Comparison>> against_original;
  std::vector<std::size_t> ranking;  // of the candidates that can be run, the fastest first
  double seconds = 0;                // spent measuring
};

// Port: implemented by MeasuringProfiler, by caches and recordings of it, and by tests.
class Profiler {
 public:
  virtual ~Profiler() = default;
  // Times the candidate against the original, two ONNX files with the same inputs, on fresh
  // samples.
  virtual Result<Comparison> compare(const std::filesystem::path& original,
                                     const std::filesystem::path& candidate,
                                     std::stop_token stop) = 0;
  // Which of the candidates is fastest. Here each is compared with the original by itself, which is
  // what recordings and stores can answer. An Error: a stop, or nothing at all can be timed.
  virtual Result<RaceResult> race(const std::filesystem::path& original,
                                  std::span<const std::filesystem::path> candidates,
                                  std::stop_token stop);
};

}  // namespace pet
