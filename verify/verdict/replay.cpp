#include "verify/verdict/replay.h"

#include <algorithm>
#include <cmath>

#include "core/cost/analytic.h"
#include "core/util/rng.h"
#include "verify/verdict/real_run.h"

namespace pet {
namespace {

// The lowest digit of a seed says how inputs are drawn: an operator that shows only for positive or
// only for negative numbers must not depend on luck, nor one that large sums saturate.
enum class Draw : std::uint64_t { Reals, BelowZero, AboveZero, Integers, Negative, Positive, Few };
static_assert(static_cast<std::uint64_t>(Draw::Integers) == kRealDraws);
static_assert(static_cast<std::uint64_t>(Draw::Few) + 1 == kWitnessDraws);
constexpr int kLargestInteger = 3;

float drawn(Draw draw, Rng& rng) {
  const auto real = [&rng] { return static_cast<float>(rng.normal()); };
  switch (draw) {
    case Draw::Reals:
      return real();
    case Draw::BelowZero:
      return -std::abs(real());
    case Draw::AboveZero:
      return std::abs(real());
    case Draw::Integers:
      return static_cast<float>(rng.between(-kLargestInteger, kLargestInteger));
    case Draw::Negative:
      return static_cast<float>(rng.between(-kLargestInteger, -1));
    case Draw::Positive:
      return static_cast<float>(rng.between(1, kLargestInteger));
    case Draw::Few:
      return rng.below(4) != 0 ? 0.0F : static_cast<float>(rng.between(-1, 1));
  }
  return 0;
}

// A maximum is often the same whichever of two windows it is taken over: one draw shows nothing.
// Small programs are tried again and again, a network once in each way; counted, not timed, so that
// the same seed gives the same verdict everywhere.
constexpr double kMostRounds = 24;
constexpr double kTriedOperations = 0x1p26;
// Of programs so small an operator takes longer to begin than to finish: they run on many inputs at
// once.
constexpr double kSmallOperations = 0x1p17;
constexpr std::size_t kRunsAtOnce = 12;

double operations_of(const Graph& original, const Graph& mutant) {
  Work work = work_of(original);
  work += work_of(mutant);
  return work.multiply_adds + work.element_functions + work.bytes_written;
}

// Whether a function may make much of what is nearly nothing, or of a small difference: where it is
// not defined everywhere, where it jumps, or where it divides by what its own row makes (elements
// that are all alike but for rounding are normalised as if they were not).
bool amplifies(const ElementFunction& function) {
  return function.totality == Totality::Partial || function.jumps != Jumps::Nowhere ||
         (function.row != nullptr && function.at_infinity == Finiteness::MaybeNoNumber);
}

// What rounding does to the arguments of such a function shows only in a second precision.
bool amplifies_rounding(const Graph& graph) {
  return std::ranges::any_of(graph.ids(), [&](NodeId id) {
    return graph.has_meaning(id) &&
           std::ranges::any_of(graph.meaning(id).applications,
                               [](const Application& one) { return amplifies(*one.function); });
  });
}

// Whether two results differ by more than rounding can explain. Neither the distance of two
// precisions nor a single result shows where everything is lost to a huge term that cancels, so the
// largest term of the programs counts too.
class Difference {
 public:
  Difference(const RealRun<double>& a, const RealRun<double>& b) : a_(a), b_(b) {}

  // REQUIRES: both outlive this
  void refine(const RealRun<long double>& a, const RealRun<long double>& b) {
    fine_a_ = &a;
    fine_b_ = &b;
    mean_lost_.clear();
    for (std::size_t output = 0; output < a.outputs.size(); ++output) {
      double sum = 0;
      std::size_t number = 0;
      for (std::size_t i = 0; is_known(output) && i < a.outputs[output].size(); ++i) {
        const double lost = lost_at(output, i);
        if (!std::isfinite(lost)) continue;
        sum += lost;
        ++number;
      }
      mean_lost_.push_back(number == 0 ? 0 : sum / static_cast<double>(number));
    }
  }

  bool is_clear(std::size_t output, std::size_t i) const {
    if (fine_a_ == nullptr) return beyond(a_, b_, output, i, 0, 0x1p-30);
    // What double loses against long double is about 2^11 times what long double loses; where both
    // are nothing but rounding errors an element of many may agree by chance.
    const double lost = std::max(lost_at(output, i), mean_lost_[output]);
    return beyond(*fine_a_, *fine_b_, output, i, 64 * lost, 0x1p-54);
  }
  // Whether a finer look may find a difference: two results that doubles do not tell apart are
  // nearer to one another than is_clear() allows.
  bool may_be_clear(std::size_t output, std::size_t i) const {
    const double x = a_.outputs[output][i];
    return x != b_.outputs[output][i] || !std::isfinite(x);
  }
  bool is_known(std::size_t output) const {
    return !a_.outputs[output].empty() && !b_.outputs[output].empty();
  }
  // That of two places where the two are farther apart.
  std::size_t farther(std::size_t output, std::optional<std::size_t> known, std::size_t i) const {
    return known && distance(output, *known) >= distance(output, i) ? *known : i;
  }
  // What one rounding of a float makes of the largest terms.
  double one_rounding() const { return std::max(a_.largest_term, b_.largest_term) * 0x1p-24; }
  // As finely as it was looked at.
  double original(std::size_t output, std::size_t i) const {
    return fine_a_ == nullptr ? a_.outputs[output][i]
                              : static_cast<double>(fine_a_->outputs[output][i]);
  }
  double mutant(std::size_t output, std::size_t i) const {
    return fine_b_ == nullptr ? b_.outputs[output][i]
                              : static_cast<double>(fine_b_->outputs[output][i]);
  }

 private:
  double distance(std::size_t output, std::size_t i) const {
    return std::abs(original(output, i) - mutant(output, i));
  }

  double lost_at(std::size_t output, std::size_t i) const {
    return static_cast<double>(std::abs(fine_a_->outputs[output][i] - a_.outputs[output][i]) +
                               std::abs(fine_b_->outputs[output][i] - b_.outputs[output][i]));
  }

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
  const RealRun<long double>* fine_a_ = nullptr;
  const RealRun<long double>* fine_b_ = nullptr;
  std::vector<double> mean_lost_;  // by output
};

Witness witness_of(const Difference& difference, const Graph& original, std::uint64_t seed,
                   const OutputVerdict& output, std::size_t number, std::size_t i) {
  Witness out{seed,
              {},
              {},
              difference.original(number, i),
              difference.mutant(number, i),
              difference.one_rounding()};
  for (const NodeId id : original.inputs()) {
    const Node& node = original.node(id);
    if (node.type.shape && are_numbers(node.type.dtype))
      out.inputs.emplace_back(node.input()->name, node.type);
  }
  Dim rest = static_cast<Dim>(i);
  for (const Dim stride : row_major_strides(output.wrong.basis.shape())) {
    out.position.push_back(rest / stride);
    rest %= stride;
  }
  return out;
}

// Both programs on the same inputs.
template <class T>
struct Runs {
  std::vector<RealRun<T>> original;
  std::vector<RealRun<T>> mutant;
};

// Two programs run on what seeds draw.
class Replay {
 public:
  Replay(const PairCode& programs, const Digest& seed, const ProofOptions& options, Marks& marks,
         std::vector<OutputVerdict>& outputs)
      : original_(programs.original()),
        mutant_(programs.mutant()),
        rng_(std::uint64_t{seed.bytes[0]} << 16 | std::uint64_t{seed.bytes[1]} << 8 |
             seed.bytes[2]),
        options_(options),
        marks_(marks),
        outputs_(outputs) {
    const double operations = operations_of(original_.graph(), mutant_.graph());
    rounds_ = static_cast<std::uint64_t>(
        std::clamp(kTriedOperations / std::max(operations, 1.0), 1.0, kMostRounds));
    is_small_ = operations <= kSmallOperations;
  }

  // Undecided positions become different ones.
  void mark() {
    search(0, kRealDraws, first_way(), [&](const Difference& difference, std::uint64_t seed) {
      bool open = false;
      for (std::size_t output = 0; output < outputs_.size(); ++output)
        open = mark(difference, seed, output) || open;
      return open;
    });
  }

  // The same in one draw, until one output has a witness (in detail: of small integers).
  void glance() {
    const std::uint64_t way = options_.in_detail ? kRealDraws : first_way();
    look_at({word(0) * kWitnessDraws + way}, [&](const Difference& difference, std::uint64_t seed) {
      bool differ = false;
      for (std::size_t output = 0; output < outputs_.size(); ++output) {
        mark(difference, seed, output);
        differ = differ || outputs_[output].witness;
      }
      return !differ;
    });
  }

  // Witnesses that were found give way to such of integers.
  void simplify() {
    std::vector<char> simple(outputs_.size(), 0);
    search(kRealDraws, kWitnessDraws - kRealDraws, 0,
           [&](const Difference& difference, std::uint64_t seed) {
             bool open = false;
             for (std::size_t output = 0; output < outputs_.size(); ++output) {
               if (simple[output] == 0)
                 simple[output] = simplified(difference, seed, output) ? 1 : 0;
               open = open || simple[output] == 0;
             }
             return open;
           });
  }

 private:
  // A network of masks and indices computes little on such as are drawn at random.
  std::uint64_t first_way() const {
    const bool has_indices = std::ranges::any_of(original_.graph().inputs(), [&](NodeId id) {
      return original_.graph().node(id).type.dtype != DType::Float;
    });
    return static_cast<std::uint64_t>(has_indices ? Draw::AboveZero : Draw::Reals);
  }

  // Draws in each of `ways` in turn, from the one of that number on, until `look` finds nothing
  // left to be looked for, the programs do not run, or enough was tried.
  template <class Look>
  void search(std::uint64_t first, std::uint64_t ways, std::uint64_t begin, const Look& look) {
    const std::uint64_t most = ways * rounds_;
    std::vector<std::uint64_t> seeds;
    for (std::uint64_t done = 0; done < most; done += seeds.size()) {
      seeds.clear();
      // The first one often is enough.
      const std::uint64_t at_once = is_small_ && done > 0 ? kRunsAtOnce : 1;
      const std::uint64_t end = std::min(most, done + at_once);
      for (std::uint64_t draw = done; draw < end; ++draw)
        seeds.push_back(word(looked_ + seeds.size()) * kWitnessDraws + first +
                        (begin + draw) % ways);
      if (!look_at(seeds, look)) return;
    }
  }

  // What is drawn does not depend on how many runs are made at once.
  std::uint64_t word(std::size_t number) {
    while (words_.size() <= number) words_.push_back(rng_.below(std::uint64_t{1} << 32));
    return words_[number];
  }

  // In two precisions where one leaves something open.
  template <class Look>
  bool look_at(const std::vector<std::uint64_t>& seeds, const Look& look) {
    const auto runs = both<double>(seeds);
    std::optional<Runs<long double>> fine;
    for (std::size_t run = 0; run < seeds.size(); ++run) {
      ++looked_;
      if (!runs) return false;
      Difference difference(runs->original[run], runs->mutant[run]);
      if (!fine_only_ && !look(difference, seeds[run])) return false;
      if (!fine_only_ && !is_worth_refining(difference)) continue;
      if (!fine) fine = both<long double>(seeds);
      if (!fine) return false;
      difference.refine(fine->original[run], fine->mutant[run]);
      if (!look(difference, seeds[run])) return false;
    }
    return true;
  }

  template <class T>
  std::optional<Runs<T>> both(const std::vector<std::uint64_t>& seeds) const {
    const DrawnInput inputs = [&](std::size_t run, const std::string& name,
                                  const TensorType& type) {
      return witness_input(name, type, seeds[run]);
    };
    const auto of = [&](const GraphCode& program) {
      return real_runs<T>(program, seeds.size(), inputs, Holds::Numbers, options_.threads,
                          options_.stop);
    };
    auto original = of(original_);
    if (!original) return std::nullopt;
    auto mutant = of(mutant_);
    if (!mutant) return std::nullopt;
    return Runs<T>{*std::move(original), *std::move(mutant)};
  }

  bool is_worth_refining(const Difference& difference) const {
    for (std::size_t output = 0; output < outputs_.size(); ++output) {
      if (!difference.is_known(output)) continue;
      for (std::size_t i = 0; i < marks_[output].size(); ++i) {
        if (marks_[output][i] != static_cast<char>(Mark::Equal) &&
            difference.may_be_clear(output, i))
          return true;
      }
    }
    return false;
  }

  // True where the output still has no witness. More than one is not needed: whatever is not equal
  // counts as wrong.
  bool mark(const Difference& difference, std::uint64_t seed, std::size_t output) {
    if (marks_[output].empty() || !difference.is_known(output)) return false;
    OutputVerdict& out = outputs_[output];
    std::optional<std::size_t> farthest;
    for (std::size_t i = 0; i < marks_[output].size(); ++i) {
      char& mark = marks_[output][i];
      if (mark != static_cast<char>(Mark::Undecided) || !difference.is_clear(output, i)) continue;
      mark = static_cast<char>(Mark::Different);
      --out.undecided;
      ++out.different;
      farthest = difference.farther(output, farthest, i);
    }
    if (farthest && !out.witness)
      out.witness = witness_of(difference, original_.graph(), seed, out, output, *farthest);
    return out.undecided > 0 && !out.witness;
  }

  bool simplified(const Difference& difference, std::uint64_t seed, std::size_t output) {
    OutputVerdict& out = outputs_[output];
    if (!out.witness || !difference.is_known(output)) return true;
    std::optional<std::size_t> farthest;
    for (std::size_t i = 0; i < marks_[output].size(); ++i) {
      if (marks_[output][i] != static_cast<char>(Mark::Equal) && difference.is_clear(output, i))
        farthest = difference.farther(output, farthest, i);
    }
    if (farthest)
      out.witness = witness_of(difference, original_.graph(), seed, out, output, *farthest);
    return farthest.has_value();
  }

  const GraphCode& original_;
  const GraphCode& mutant_;
  Rng rng_;
  std::vector<std::uint64_t> words_;  // drawn so far
  std::size_t looked_ = 0;            // runs
  std::uint64_t rounds_ = 1;
  bool is_small_ = false;
  const ProofOptions& options_;
  Marks& marks_;
  std::vector<OutputVerdict>& outputs_;
  bool fine_only_ = amplifies_rounding(original_.graph()) || amplifies_rounding(mutant_.graph());
};

}  // namespace

std::vector<float> witness_input(const std::string& name, const TensorType& type,
                                 std::uint64_t seed) {
  Rng rng(Digester("witness input").add(name).add(seed).finish().word());
  const auto draw = static_cast<Draw>(seed % kWitnessDraws);
  std::vector<float> values(static_cast<std::size_t>(count(*type.shape)));
  if (draw == Draw::AboveZero && type.dtype != DType::Float) {
    std::ranges::fill(values, 1.0F);
    return values;
  }
  for (float& x : values) x = static_cast<float>(as_element(type.dtype, drawn(draw, rng)));
  return values;
}

void replay(const PairCode& programs, const Digest& seed, const ProofOptions& options, Marks& marks,
            std::vector<OutputVerdict>& outputs) {
  Replay both(programs, seed, options, marks, outputs);
  both.mark();
  if (options.in_detail) both.simplify();
}

void glance(const PairCode& programs, const Digest& seed, const ProofOptions& options, Marks& marks,
            std::vector<OutputVerdict>& outputs) {
  Replay(programs, seed, options, marks, outputs).glance();
}

}  // namespace pet
