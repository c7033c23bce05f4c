#include "verify/float_range.h"

#include <fmt/format.h>

#include <cmath>

#include "core/util/printable.h"
#include "core/util/rng.h"
#include "verify/real_run.h"

namespace pet {
namespace {

enum class Draw { Normal, Negative, Positive, Bits };

float drawn(Draw draw, Rng& rng) {
  const auto x = static_cast<float>(rng.normal());
  switch (draw) {
    case Draw::Negative:
      return -std::abs(x);
    case Draw::Positive:
      return std::abs(x);
    case Draw::Bits:
      return x < 0 ? 0 : 1;
    case Draw::Normal:
      break;
  }
  return x;
}

DrawnInput inputs_of(const Digest& seed, Draw draw) {
  return [=](const std::string& name, const Shape& shape) {
    const Digest own =
        Digester("float range").add(seed).add(static_cast<std::uint64_t>(draw)).add(name).finish();
    std::uint64_t key = 0;
    for (int i = 0; i < 8; ++i) key = key << 8 | own.bytes[static_cast<std::size_t>(i)];
    Rng rng(key);
    std::vector<float> out(static_cast<std::size_t>(count(shape)));
    for (float& x : out) x = drawn(draw, rng);
    return out;
  };
}

}  // namespace

Result<std::string> results_beyond_floats(const Graph& original, const Graph& mutant,
                                          const Digest& seed, std::size_t threads,
                                          const std::stop_token& stop) {
  bool known = false;
  bool held = false;
  for (const Draw draw : {Draw::Normal, Draw::Negative, Draw::Positive, Draw::Bits}) {
    const DrawnInput inputs = inputs_of(seed, draw);
    const auto a = real_run<double>(original, inputs, Holds::Floats, threads, stop);
    if (!a) return a.error();
    const auto b = real_run<double>(mutant, inputs, Holds::Floats, threads, stop);
    if (!b) return b.error();
    for (std::size_t output = 0; output < a->outputs.size(); ++output) {
      const auto& theirs = a->outputs[output];
      const auto& mine = b->outputs[output];
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
