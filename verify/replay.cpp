#include "verify/replay.h"

#include <algorithm>
#include <cmath>

#include "core/eval/evaluate.h"
#include "core/util/rng.h"
#include "verify/domain.h"

namespace pet {
namespace {

// The lowest bits of a seed say how inputs are distributed: an operator that shows only for positive or only for
// negative numbers must not depend on luck.
enum class Draw : std::uint64_t { Normal = 0, Negative = 1, Positive = 2 };
constexpr std::uint64_t kDraws = 3;

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
      : graph_(graph), seed_(seed), evaluator_(Signs::Signed, Functions::Computed, threads),
        values_(graph.nodes().size()), largest_(graph.nodes().size(), 0) {}

  Result<Run<T>> run(const std::stop_token& stop) {
    const auto needed = needed_by_outputs(graph_);
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

// One program in long double and in double: where the two agree to many digits, rounding is no excuse.
struct Runs {
  Run<long double> fine;
  Run<double> coarse;
};

Result<Runs> run_both(const Graph& graph, std::uint64_t seed, std::size_t threads, const std::stop_token& stop) {
  auto fine = Replayer<long double>(graph, seed, threads).run(stop);
  if (!fine) return std::move(fine).error();
  auto coarse = Replayer<double>(graph, seed, threads).run(stop);
  if (!coarse) return std::move(coarse).error();
  return Runs{*std::move(fine), *std::move(coarse)};
}

// Whether two results differ by more than rounding can explain: what double loses against long double is about 2^11
// times what long double loses, and neither shows where both lose everything to a huge term that cancels.
bool clearly_differ(const Runs& a, const Runs& b, std::size_t output, std::size_t i) {
  const long double x = a.fine.outputs[output][i];
  const long double y = b.fine.outputs[output][i];
  if (!std::isfinite(x) || !std::isfinite(y)) return false;
  const long double lost = std::abs(x - static_cast<long double>(a.coarse.outputs[output][i])) +
                           std::abs(y - static_cast<long double>(b.coarse.outputs[output][i]));
  const long double terms = std::max(a.fine.largest_term, b.fine.largest_term);
  return std::abs(x - y) > 64 * lost + terms * 0x1p-54L;
}

bool note_differences(const Runs& a, const Runs& b, std::size_t output, std::uint64_t seed, std::vector<char>& marks,
                      OutputVerdict& out) {
  if (a.fine.outputs[output].empty() || b.fine.outputs[output].empty()) return false;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] != static_cast<char>(Mark::Undecided) || !clearly_differ(a, b, output, i)) continue;
    marks[i] = static_cast<char>(Mark::Different);
    --out.undecided;
    ++out.different;
    if (out.witness) continue;
    out.witness = Witness{seed, {}, static_cast<double>(a.fine.outputs[output][i]),
                          static_cast<double>(b.fine.outputs[output][i])};
    Dim rest = static_cast<Dim>(i);
    for (const Dim stride : row_major_strides(out.wrong.basis.shape())) {
      out.witness->position.push_back(rest / stride);
      rest %= stride;
    }
  }
  return out.undecided > 0;
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
    x = draw == Draw::Normal ? number : draw == Draw::Negative ? -std::abs(number) : std::abs(number);
  }
  return values;
}

void replay(const Graph& original, const Graph& mutant, const Digest& seed, std::size_t threads,
            const std::stop_token& stop, Marks& marks, std::vector<OutputVerdict>& outputs) {
  Rng rng(std::uint64_t{seed.bytes[0]} << 16 | std::uint64_t{seed.bytes[1]} << 8 | seed.bytes[2]);
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    const std::uint64_t run = rng.below(std::uint64_t{1} << 32) * kDraws + draw;
    const auto a = run_both(original, run, threads, stop);
    if (!a) return;
    const auto b = run_both(mutant, run, threads, stop);
    if (!b) return;
    bool open = false;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!marks[i].empty()) open = note_differences(*a, *b, i, run, marks[i], outputs[i]) || open;
    }
    if (!open) return;
  }
}

}  // namespace pet
