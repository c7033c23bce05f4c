#include "verify/replay.h"

#include <algorithm>
#include <cmath>

#include "core/cost/analytic.h"
#include "core/eval/evaluate.h"
#include "core/util/rng.h"
#include "verify/domain.h"

namespace pet {
namespace {

// The lowest bits of a seed say how inputs are distributed: an operator that shows only for
// positive or only for negative numbers must not depend on luck.
enum class Draw : std::uint64_t { Normal = 0, Negative = 1, Positive = 2 };
constexpr std::uint64_t kDraws = 3;

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

template <class T>
LaneTensor<T> drawn(const std::string& name, const Shape& shape, std::uint64_t seed) {
  LaneTensor<T> out(shape, 1);
  const auto values = witness_input(name, shape, seed);
  std::copy(values.begin(), values.end(), out.lanes[0].begin());
  return out;
}

template <class T>
struct Run {
  std::vector<std::vector<T>> outputs;  // empty: behind an opaque node
  T largest_term = 0;                   // no term of any sum is larger
};

template <class T>
T largest(const LaneTensor<T>& tensor) {
  T out = 0;
  for (const T x : tensor.lanes[0]) out = std::max(out, std::abs(x));
  return out;
}

template <class T>
class Replayer {
 public:
  Replayer(const Graph& graph, std::uint64_t seed, std::size_t threads)
      : graph_(graph),
        seed_(seed),
        evaluator_(Signs::Signed, Functions::Computed, threads),
        values_(graph.nodes().size()),
        largest_(graph.nodes().size(), 0) {}

  Result<Run<T>> run(const std::stop_token& stop) {
    const auto needed = graph_.needed_by_outputs();
    std::vector<std::size_t> uses(needed.size(), 0);
    for (const NodeId id : graph_.ids()) {
      if (needed[id.index()] == 0) continue;
      for (const NodeId operand : graph_.node(id).operands) ++uses[operand.index()];
    }
    for (const NodeId output : graph_.outputs()) ++uses[output.index()];
    for (const NodeId id : graph_.ids()) {
      if (needed[id.index()] == 0) continue;
      if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      if (auto done = compute(id); !done) return std::move(done).error();
      for (const NodeId operand : graph_.node(id).operands) {
        if (--uses[operand.index()] == 0) values_[operand.index()].reset();
      }
    }
    for (const NodeId output : graph_.outputs()) {
      const auto& value = values_[output.index()];
      run_.outputs.push_back(value ? value->lanes[0] : std::vector<T>{});
    }
    return std::move(run_);
  }

 private:
  Status compute(NodeId id) {
    const Node& node = graph_.node(id);
    auto& value = values_[id.index()];
    if (!node.type.shape || node.type.dtype != DType::Float) return Done{};
    if (const InputLeaf* input = node.input()) {
      value = drawn<T>(input->name, *node.type.shape, seed_);
    } else if (const Tensor* tensor = node.constant()) {
      value.emplace(tensor->shape(), 1);
      std::copy(tensor->floats().begin(), tensor->floats().end(), value->lanes[0].begin());
    } else if (graph_.has_meaning(id)) {
      std::vector<const LaneTensor<T>*> operands;
      for (const NodeId operand : node.operands) {
        if (!values_[operand.index()]) return Done{};
        operands.push_back(&*values_[operand.index()]);
      }
      const Meaning meaning = graph_.meaning(id);
      auto result = evaluator_.evaluate(meaning, operands);
      if (!result) return std::move(result).error();
      value = *std::move(result);
      note_terms(meaning, node);
    }
    if (value) largest_[id.index()] = largest(*value);
    return Done{};
  }

  void note_terms(const Meaning& meaning, const Node& node) {
    for (const Term& term : meaning.sum.terms) {
      T size = static_cast<T>(std::abs(to_double(term.coef.scale)));
      for (const Access& access : term.factors) {
        const auto k = static_cast<std::size_t>(access.operand);
        if (k < node.operands.size()) size *= largest_[node.operands[k].index()];
      }
      if (std::isfinite(size)) run_.largest_term = std::max(run_.largest_term, size);
    }
  }

  const Graph& graph_;
  std::uint64_t seed_;
  RealEvaluator<T> evaluator_;
  std::vector<std::optional<LaneTensor<T>>> values_;
  std::vector<T> largest_;
  Run<T> run_;
};

// Whether two results differ by more than rounding can explain. Neither the distance of two
// precisions nor a single result shows where everything is lost to a huge term that cancels, so the
// largest term of the programs counts too.
class Difference {
 public:
  Difference(const Run<double>& a, const Run<double>& b) : a_(a), b_(b) {}

  void refine(Run<long double> a, Run<long double> b) {
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
  static bool beyond(const Run<T>& a, const Run<T>& b, std::size_t output, std::size_t i,
                     double lost, double share) {
    const T x = a.outputs[output][i];
    const T y = b.outputs[output][i];
    const T allowed =
        static_cast<T>(lost) + std::max(a.largest_term, b.largest_term) * static_cast<T>(share);
    return std::isfinite(x) && std::isfinite(y) && std::abs(x - y) > allowed;
  }

  const Run<double>& a_;
  const Run<double>& b_;
  Run<long double> fine_a_;
  Run<long double> fine_b_;
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
  const Digest digest = Digester("witness input").add(name).add(seed).finish();
  std::uint64_t key = 0;
  for (int i = 0; i < 8; ++i) key = key << 8 | digest.bytes[static_cast<std::size_t>(i)];
  Rng rng(key);
  const auto draw = static_cast<Draw>(seed % kDraws);
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
  const std::uint64_t draws = kDraws * rounds_for(original, mutant);
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    const std::uint64_t run = rng.below(std::uint64_t{1} << 32) * kDraws + draw % kDraws;
    const auto a = Replayer<double>(original, run, threads).run(stop);
    const auto b = Replayer<double>(mutant, run, threads).run(stop);
    if (!a || !b) return;
    Difference difference(*a, *b);
    if (!note_differences(difference, run, marks, outputs)) return;
    auto fine_a = Replayer<long double>(original, run, threads).run(stop);
    auto fine_b = Replayer<long double>(mutant, run, threads).run(stop);
    if (!fine_a || !fine_b) return;
    difference.refine(*std::move(fine_a), *std::move(fine_b));
    if (!note_differences(difference, run, marks, outputs)) return;
  }
}

}  // namespace pet
