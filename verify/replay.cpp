#include "verify/replay.h"

#include <algorithm>
#include <cmath>

#include "core/cost/analytic.h"
#include "core/util/rng.h"
#include "verify/domain.h"
#include "verify/real_run.h"

namespace pet {
namespace {

// The lowest bits of a seed say how inputs are distributed: an operator that shows only for
// positive or only for negative numbers must not depend on luck.
enum class Draw : std::uint64_t { Normal = 0, Negative = 1, Positive = 2 };

// A maximum is often the same whichever of two windows it is taken over: one draw shows nothing.
// Small programs are tried again and again, a network once in each way; counted, not timed, so that
// the same seed gives the same verdict everywhere.
constexpr double kMostRounds = 24;
constexpr double kTriedOperations = 0x1p26;

std::uint64_t rounds_for(const Graph& original, const Graph& mutant) {
  Work work = work_of(original);
  work += work_of(mutant);
  const double operations = work.multiply_adds + work.element_functions + work.bytes_written;
  return static_cast<std::uint64_t>(
      std::clamp(kTriedOperations / std::max(operations, 1.0), 1.0, kMostRounds));
}

// Where a result may be large because an argument is nearly nothing: what rounding does to that
// argument shows only in a second precision.
bool amplifies_rounding(const Graph& graph) {
  const auto ids = graph.ids();
  return std::any_of(ids.begin(), ids.end(),
                     [&](NodeId id) { return applies_partial_function(graph, id); });
}

// Whether two results differ by more than rounding can explain. Neither the distance of two
// precisions nor a single result shows where everything is lost to a huge term that cancels, so the
// largest term of the programs counts too.
class Difference {
 public:
  Difference(const RealRun<double>& a, const RealRun<double>& b) : a_(a), b_(b) {}

  void refine(RealRun<long double> a, RealRun<long double> b) {
    fine_a_ = std::move(a);
    fine_b_ = std::move(b);
  }

  bool is_clear(std::size_t output, std::size_t i) const {
    if (fine_a_.outputs.empty()) return beyond(a_, b_, output, i, 0, 0x1p-30);
    // What double loses against long double is about 2^11 times what long double loses.
    const double lost =
        static_cast<double>(std::abs(fine_a_.outputs[output][i] - a_.outputs[output][i]) +
                            std::abs(fine_b_.outputs[output][i] - b_.outputs[output][i]));
    return beyond(fine_a_, fine_b_, output, i, 64 * lost, 0x1p-54);
  }
  bool is_known(std::size_t output) const {
    return !a_.outputs[output].empty() && !b_.outputs[output].empty();
  }
  double original(std::size_t output, std::size_t i) const { return a_.outputs[output][i]; }
  double mutant(std::size_t output, std::size_t i) const { return b_.outputs[output][i]; }

 private:
  template <class T>
  static bool beyond(const RealRun<T>& a, const RealRun<T>& b, std::size_t output, std::size_t i,
                     double lost, double share) {
    const T x = a.outputs[output][i];
    const T y = b.outputs[output][i];
    const T allowed =
        static_cast<T>(lost) + std::max(a.largest_term, b.largest_term) * static_cast<T>(share);
    return std::isfinite(x) && std::isfinite(y) && std::abs(x - y) > allowed;
  }

  const RealRun<double>& a_;
  const RealRun<double>& b_;
  RealRun<long double> fine_a_;
  RealRun<long double> fine_b_;
};

// True where an output that differs somewhere by its residues still has no witness. More than one
// is not needed: whatever is not equal counts as wrong.
bool note_differences(const Difference& difference, std::uint64_t seed, Marks& marks,
                      std::vector<OutputVerdict>& outputs) {
  bool open = false;
  for (std::size_t output = 0; output < outputs.size(); ++output) {
    if (marks[output].empty() || !difference.is_known(output)) continue;
    OutputVerdict& out = outputs[output];
    for (std::size_t i = 0; i < marks[output].size(); ++i) {
      char& mark = marks[output][i];
      if (mark != static_cast<char>(Mark::Undecided) || !difference.is_clear(output, i)) continue;
      mark = static_cast<char>(Mark::Different);
      --out.undecided;
      ++out.different;
      if (out.witness) continue;
      out.witness = Witness{seed, {}, difference.original(output, i), difference.mutant(output, i)};
      Dim rest = static_cast<Dim>(i);
      for (const Dim stride : row_major_strides(out.wrong.basis.shape())) {
        out.witness->position.push_back(rest / stride);
        rest %= stride;
      }
    }
    open = open || (out.undecided > 0 && !out.witness);
  }
  return open;
}

}  // namespace

std::vector<float> witness_input(const std::string& name, const Shape& shape, std::uint64_t seed) {
  Rng rng(Digester("witness input").add(name).add(seed).finish().word());
  const auto draw = static_cast<Draw>(seed % kWitnessDraws);
  std::vector<float> values(static_cast<std::size_t>(count(shape)));
  for (float& x : values) {
    const auto number = static_cast<float>(rng.normal());
    x = draw == Draw::Normal     ? number
        : draw == Draw::Negative ? -std::abs(number)
                                 : std::abs(number);
  }
  return values;
}

void replay(const Graph& original, const Graph& mutant, const Digest& seed, std::size_t threads,
            const std::stop_token& stop, Marks& marks, std::vector<OutputVerdict>& outputs) {
  Rng rng(std::uint64_t{seed.bytes[0]} << 16 | std::uint64_t{seed.bytes[1]} << 8 | seed.bytes[2]);
  const bool fine_only = amplifies_rounding(original) || amplifies_rounding(mutant);
  const std::uint64_t draws = kWitnessDraws * rounds_for(original, mutant);
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    const std::uint64_t run =
        rng.below(std::uint64_t{1} << 32) * kWitnessDraws + draw % kWitnessDraws;
    const DrawnInput inputs = [run](const std::string& name, const Shape& shape) {
      return witness_input(name, shape, run);
    };
    const auto a = real_run<double>(original, inputs, Holds::Numbers, threads, stop);
    const auto b = real_run<double>(mutant, inputs, Holds::Numbers, threads, stop);
    if (!a || !b) return;
    Difference difference(*a, *b);
    if (!fine_only && !note_differences(difference, run, marks, outputs)) return;
    auto fine_a = real_run<long double>(original, inputs, Holds::Numbers, threads, stop);
    auto fine_b = real_run<long double>(mutant, inputs, Holds::Numbers, threads, stop);
    if (!fine_a || !fine_b) return;
    difference.refine(*std::move(fine_a), *std::move(fine_b));
    if (!note_differences(difference, run, marks, outputs)) return;
  }
}

}  // namespace pet
