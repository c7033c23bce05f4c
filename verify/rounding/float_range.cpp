#include "verify/rounding/float_range.h"

#include <fmt/format.h>

#include <cmath>

#include "core/util/printable.h"
#include "verify/verdict/real_run.h"
#include "verify/verdict/replay.h"

namespace pet {
namespace {

// As witnesses are drawn, in each of their ways; the last once more as bits.
constexpr std::uint64_t kRuns = kRealDraws + 1;

DrawnInput inputs_of(std::uint64_t first, std::uint64_t run) {
  return [=](std::size_t, const std::string& name, const TensorType& type) {
    std::vector<float> out = witness_input(name, type, first + run % kRealDraws);
    if (run == kRealDraws) {
      for (float& x : out) x = x < 0.5F ? 0 : 1;
    }
    return out;
  };
}

}  // namespace

Result<std::string> results_beyond_floats(const PairCode& programs, const Digest& seed,
                                          std::size_t threads, const std::stop_token& stop) {
  const Graph& original = programs.original().graph();
  bool known = false;
  bool held = false;
  const std::uint64_t drawn = seed.word() >> 32;  // times the draws it stays a number of 64 bits
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    const DrawnInput inputs = inputs_of(drawn * kWitnessDraws, run);
    const auto a = real_runs<double>(programs.original(), 1, inputs, Holds::Floats, threads, stop);
    if (!a) return a.error();
    const auto b = real_runs<double>(programs.mutant(), 1, inputs, Holds::Floats, threads, stop);
    if (!b) return b.error();
    for (std::size_t output = 0; output < a->front().outputs.size(); ++output) {
      const auto& theirs = a->front().outputs[output];
      const auto& mine = b->front().outputs[output];
      if (theirs.empty() || theirs.size() != mine.size()) continue;
      known = true;
      for (std::size_t i = 0; i < theirs.size(); ++i) {
        if (!std::isfinite(theirs[i])) continue;
        held = true;
        if (!std::isfinite(mine[i])) {
          return fmt::format(
              "output '{}' is beyond the range of floats where the original's is not",
              printable(original.node(original.outputs()[output]).name));
        }
      }
    }
  }
  if (known && !held) return std::string("no input was found of which floats hold the results");
  return std::string{};
}

}  // namespace pet
