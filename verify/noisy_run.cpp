#include "verify/noisy_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "core/eval/evaluate.h"
#include "core/util/rng.h"

namespace pet {
namespace {

constexpr std::size_t kNoisyRuns = 4;  // a draw
// Of each draw the first lane has no errors.
constexpr std::size_t kLanesOfDraw = 1 + kNoisyRuns;
constexpr std::size_t kLanes = kErrorDraws * kLanesOfDraw;
// One rounding, relative to what is rounded: far above those of doubles, far below what would make
// another number of a result.
constexpr double kRounding = 0x1p-40;

using Values = LaneTensor<double>;

bool is_noisy(std::size_t lane) { return lane % kLanesOfDraw != 0; }

enum class Draw : std::size_t { Ordinary, Large, OnOneSide, OnBothSides };
static_assert(static_cast<std::size_t>(Draw::OnBothSides) + 1 == kErrorDraws);

// `number`: of the input, in the order of their names.
float drawn(Draw draw, std::size_t number, Rng& rng) {
  if (draw == Draw::Ordinary) return static_cast<float>(rng.normal());
  if (draw == Draw::Large) return static_cast<float>(20 * rng.normal());
  // Floats lie 2^-17 apart there: their differences are a few of that, and exact.
  const float far = 100 + static_cast<float>(rng.between(-8, 8)) * 0x1p-17F;
  return draw == Draw::OnBothSides && number % 2 == 1 ? -far : far;
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

// A product of at most two numbers, or one number times a coefficient: one rounding, of its result.
bool is_rounded_once(const Meaning& meaning) {
  return meaning.sum.terms.size() == 1 && count(meaning.sum.terms[0].reduce) == 1;
}

// x - x, which no rounding keeps from being 0.
bool takes_itself_away(const Meaning& meaning, const std::vector<NodeId>& operands) {
  const auto& terms = meaning.sum.terms;
  if (terms.size() != 2 || terms[0].factors.size() != 1 || terms[1].factors.size() != 1)
    return false;
  const auto node = [&](const Access& access) {
    return operands[static_cast<std::size_t>(access.operand)];
  };
  const Access& first = terms[0].factors[0];
  const Access& second = terms[1].factors[0];
  const auto is_plain = [](const Term& term) {
    return term.coef.tables.empty() && term.reduce.empty() && term.guards.empty();
  };
  return meaning.applications.empty() && is_plain(terms[0]) && is_plain(terms[1]) &&
         terms[0].coef.scale == -terms[1].coef.scale && node(first) == node(second) &&
         first.index == second.index;
}

// What floats do not hold is infinite; the largest of them may have been rounded up.
void hold(LaneTensor<double>& values) {
  constexpr double kLargest = std::numeric_limits<float>::max() * (1 + 0x1p-24);
  for (auto& lane : values.lanes) {
    for (double& x : lane) {
      if (std::abs(x) > kLargest) x = std::copysign(INFINITY, x);
    }
  }
}

class Run {
 public:
  Run(const GraphCode& program, const std::vector<char>& wanted, const Digest& seed,
      std::size_t threads, const std::stop_token& stop,
      const std::function<Status(NodeId, DrawnErrors)>& visit)
      : program_(program),
        graph_(program.graph()),
        wanted_(wanted),
        seed_(seed),
        evaluator_(Signs::Signed, Functions::Computed, threads, stop, kLanes),
        sizes_(Signs::Absolute, Functions::One, threads, stop, kErrorDraws),
        stop_(stop),
        visit_(visit),
        first_word_(Digester("rounding").add(seed).add(graph_.digest()).finish().word()),
        values_(graph_.nodes().size()) {
    finite_.fill(true);
  }

  Result<FiniteDraws> run() {
    number_inputs();
    std::vector<char> needed = wanted_;
    std::vector<std::size_t> uses(needed.size(), 0);
    for (std::size_t i = needed.size(); i-- > 0;) {
      if (needed[i] == 0) continue;
      for (const NodeId operand : graph_.node(NodeId(i)).operands) {
        needed[operand.index()] = 1;
        ++uses[operand.index()];
      }
    }
    for (const NodeId id : graph_.ids()) {
      if (needed[id.index()] == 0) continue;
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      if (auto done = compute(id); !done) return std::move(done).error();
      if (values_[id.index()]) note_finite(*values_[id.index()]);
      if (wanted_[id.index()] != 0 && values_[id.index()]) {
        if (auto done = visit_(id, errors_of(*values_[id.index()])); !done)
          return std::move(done).error();
      }
      if (uses[id.index()] == 0) values_[id.index()].reset();
      for (const NodeId operand : graph_.node(id).operands) {
        if (--uses[operand.index()] == 0) values_[operand.index()].reset();
      }
    }
    return finite_;
  }

 private:
  void number_inputs() {
    std::set<std::string> names;
    for (const NodeId id : graph_.inputs()) names.insert(graph_.node(id).input()->name);
    for (const std::string& name : names) numbers_.emplace(name, numbers_.size());
  }

  void note_finite(const Values& values) {
    for (std::size_t draw = 0; draw < kErrorDraws; ++draw) {
      const auto& exact = values.lanes[draw * kLanesOfDraw];
      finite_[draw] = finite_[draw] && std::all_of(exact.begin(), exact.end(),
                                                   [](double x) { return std::isfinite(x); });
    }
  }

  Status compute(NodeId id) {
    const Node& node = graph_.node(id);
    auto& value = values_[id.index()];
    if (!node.type.shape || node.type.dtype != DType::Float) return Done{};
    if (const InputLeaf* input = node.input()) {
      value = drawn_input(input->name, *node.type.shape);
    } else if (const Tensor* tensor = node.constant()) {
      value.emplace(tensor->shape(), kLanes);
      for (auto& lane : value->lanes)
        std::copy(tensor->floats().begin(), tensor->floats().end(), lane.begin());
    } else if (graph_.has_meaning(id)) {
      std::vector<const Values*> operands;
      for (const NodeId operand : node.operands) {
        if (!values_[operand.index()]) return Done{};
        operands.push_back(&*values_[operand.index()]);
      }
      auto result = evaluate(id, *program_.at(id), std::move(operands));
      if (!result) return std::move(result).error();
      value = *std::move(result);
      hold(*value);
    }
    return Done{};
  }

  Values drawn_input(const std::string& name, const Shape& shape) const {
    Values out(shape, kLanes);
    for (std::size_t draw = 0; draw < kErrorDraws; ++draw) {
      Rng rng(
          Digester("noisy input").add(name).add(seed_).add(std::uint64_t{draw}).finish().word());
      auto& first = out.lanes[draw * kLanesOfDraw];
      for (double& x : first) x = drawn(static_cast<Draw>(draw), numbers_.at(name), rng);
      for (std::size_t run = 1; run <= kNoisyRuns; ++run)
        out.lanes[draw * kLanesOfDraw + run] = first;
    }
    return out;
  }

  // Functions are as exact as if what they read had been rounded once more, and so are their
  // results. Sums lose of each term as much as a rounding takes from it.
  Result<Values> evaluate(NodeId id, const MeaningCode& code,
                          std::vector<const Values*> operands) const {
    const Meaning& meaning = code.meaning();
    std::uint64_t word = first_word_ + (std::uint64_t{id.index()} << 20U);
    std::vector<Values> results;
    results.reserve(meaning.applications.size());
    for (std::size_t k = 0; k < meaning.applications.size(); ++k) {
      results.push_back(result_of(code, k, operands, word));
      operands.push_back(&results.back());
    }
    if (code.is_result_in_place()) return std::move(results.back());
    auto sum = evaluator_.sum(code, operands);
    if (!sum || is_data_movement(meaning) || takes_itself_away(meaning, graph_.node(id).operands))
      return sum;
    if (is_rounded_once(meaning)) {
      round(*sum, word);
      return sum;
    }
    auto sizes = sizes_of_sum(code, operands);
    if (!sizes) return std::move(sizes).error();
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (!is_noisy(lane)) continue;
      Roundings roundings(word++);
      const auto& size = sizes->lanes[lane / kLanesOfDraw];
      auto& numbers = sum->lanes[lane];
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += roundings.next() * size[i];
    }
    return sum;
  }

  Values result_of(const MeaningCode& code, std::size_t number,
                   const std::vector<const Values*>& operands, std::uint64_t& word) const {
    const Application& application = code.meaning().applications[number];
    std::vector<std::optional<Values>> rounded(operands.size());
    std::vector<const Values*> read = operands;
    const auto round_operand = [&](const Access& access) {
      const auto k = static_cast<std::size_t>(access.operand);
      if (rounded[k]) return;
      round(rounded[k].emplace(*operands[k]), word);
      read[k] = &*rounded[k];
    };
    for (const Access& access : application.elements) round_operand(access);
    if (application.window) round_operand(application.window->read);
    Values out = evaluator_.result(code, number, read);
    round(out, word);
    return out;
  }

  static void round(Values& values, std::uint64_t& word) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (!is_noisy(lane)) continue;
      Roundings roundings(word++);
      for (double& x : values.lanes[lane]) x *= 1 + roundings.next();
    }
  }

  Result<Values> sizes_of_sum(const MeaningCode& code,
                              const std::vector<const Values*>& operands) const {
    std::vector<Values> sizes(operands.size());
    std::vector<const Values*> read;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      sizes[k].shape = operands[k]->shape;
      for (std::size_t draw = 0; draw < kErrorDraws; ++draw) {
        auto& lane = sizes[k].lanes.emplace_back(operands[k]->lanes[draw * kLanesOfDraw]);
        for (double& x : lane) x = std::abs(x);
      }
      read.push_back(&sizes[k]);
    }
    return sizes_.sum(code, read);
  }

  static DrawnErrors errors_of(const Values& values) {
    DrawnErrors out;
    for (std::size_t draw = 0; draw < kErrorDraws; ++draw) {
      const auto& exact = values.lanes[draw * kLanesOfDraw];
      auto& errors = out.errors.emplace_back(exact.size(), 0);
      for (std::size_t run = 1; run <= kNoisyRuns; ++run) {
        const auto& noisy = values.lanes[draw * kLanesOfDraw + run];
        for (std::size_t i = 0; i < exact.size(); ++i) {
          const double error = (noisy[i] - exact[i]) / kRounding;
          errors[i] += error * error / kNoisyRuns;
        }
      }
      for (double& x : errors) x = std::sqrt(x);
      out.values.push_back(exact);
    }
    return out;
  }

  const GraphCode& program_;
  const Graph& graph_;
  const std::vector<char>& wanted_;
  const Digest& seed_;
  RealEvaluator<double> evaluator_;
  RealEvaluator<double> sizes_;
  const std::stop_token& stop_;
  const std::function<Status(NodeId, DrawnErrors)>& visit_;
  std::map<std::string, std::size_t> numbers_;  // of the inputs
  FiniteDraws finite_;
  std::uint64_t first_word_;  // of all roundings
  std::vector<std::optional<Values>> values_;
};

}  // namespace

Result<FiniteDraws> noisy_run(const GraphCode& program, const std::vector<char>& wanted,
                              const Digest& seed, std::size_t threads, const std::stop_token& stop,
                              const std::function<Status(NodeId, DrawnErrors)>& visit) {
  return Run(program, wanted, seed, threads, stop, visit).run();
}

}  // namespace pet
