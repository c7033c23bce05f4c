#include "verify/rounding/noisy_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "core/eval/evaluate.h"
#include "core/util/parallel.h"
#include "verify/rounding/noisy_functions.h"
#include "verify/rounding/noisy_lanes.h"

namespace pet {
namespace {

// Of what follows from constants alone: a gigabyte.
constexpr std::size_t kMostSettled = std::size_t{1} << 27;

using Values = NoisyValues;

template <class T>
void copy(std::span<const T> from, std::span<double> to) {
  std::ranges::copy(from, to.begin());
}

bool is_power_of_two(const Rational& x) {
  const Rational size = abs(x);
  return mpz_popcount(size.get_num_mpz_t()) == 1 && mpz_popcount(size.get_den_mpz_t()) == 1;
}

// A product of at most two numbers, or one number times a coefficient: one rounding, of its result.
bool is_rounded_once(const Meaning& meaning) {
  return meaning.sum.terms.size() == 1 && count(meaning.sum.terms[0].reduce) == 1;
}

// x + c for a constant: what is masked by 1 - x is masked exactly. (Of other sums of two every term
// counts, or no distributive law would be left.)
bool adds_constant(const Meaning& meaning, const Graph& graph,
                   const std::vector<NodeId>& operands) {
  const auto& terms = meaning.sum.terms;
  const auto is_single = [](const Term& term) {
    return term.reduce.empty() && term.guards.empty() && term.factors.size() <= 1 &&
           term.coef.tables.empty() && is_power_of_two(term.coef.scale);
  };
  const auto is_constant = [&](const Term& term) {
    return term.factors.empty() ||
           graph.node(operands[static_cast<std::size_t>(term.factors[0].operand)]).constant() !=
               nullptr;
  };
  return meaning.applications.empty() && terms.size() == 2 &&
         std::ranges::all_of(terms, is_single) && std::ranges::any_of(terms, is_constant);
}

// x - y: where both are the same no rounding keeps it from being 0.
bool is_difference(const Meaning& meaning) {
  const auto is_single = [](const Term& term) {
    return term.factors.size() == 1 && term.coef.tables.empty() && term.reduce.empty() &&
           term.guards.empty();
  };
  const auto& terms = meaning.sum.terms;
  return meaning.applications.empty() && terms.size() == 2 &&
         std::ranges::all_of(terms, is_single) && terms[0].coef.scale == -terms[1].coef.scale;
}

// What floats do not hold is infinite; the largest of them may have been rounded up. Yields whether
// all are finite.
bool hold(std::span<double> values) {
  constexpr double kLargest = std::numeric_limits<float>::max() * (1 + 0x1p-24);
  bool fit = true;
  for (const double x : values) fit &= std::abs(x) <= kLargest;  // no way out: many at a time
  if (fit) return true;
  for (double& x : values) {
    if (std::abs(x) > kLargest) x = std::copysign(INFINITY, x);
  }
  return false;
}

class Run {
 public:
  using Visit = NoisyProgram::Visit;

  Run(const GraphCode& program, const std::vector<char>& wanted, NoisyProgram::Settled& settled,
      std::span<const Draw> draws, const Digest& seed, std::size_t threads,
      const std::stop_token& stop, const Visit& visit)
      : program_(program),
        graph_(program.graph()),
        wanted_(wanted),
        settled_(settled),
        draws_(draws),
        number_of_lanes_(draws.size() * kLanesOfDraw),
        seed_(seed),
        functions_(graph_, number_of_lanes_, threads, stop),
        sums_(Signs::Signed, Functions::Computed, threads, stop, number_of_lanes_),
        sizes_(Signs::Absolute, Functions::One, threads, stop, draws.size()),
        threads_(threads),
        stop_(stop),
        lanes_{threads, stop},
        visit_(visit),
        first_word_(Digester("rounding").add(seed).add(graph_.digest()).finish().word()),
        finite_(draws.size(), settled.finite),
        given_(graph_.nodes().size(), 0),
        values_(graph_.nodes().size()) {
    // Of several draws at once each rounds constants in its own way.
    if (draws_.size() > 1) return;
    for (const NodeId id : graph_.ids())
      given_[id.index()] = settled_.values[id.index()] != nullptr ? 1 : 0;
  }

  Result<std::vector<bool>> run() {
    number_inputs();
    const auto needed = needed_now();
    std::vector<std::size_t> uses(needed.size(), 0);
    for (const NodeId id : graph_.ids()) {
      if (needed[id.index()] == 0 || given_[id.index()] != 0) continue;
      for (const NodeId operand : graph_.node(id).operands) ++uses[operand.index()];
    }
    for (const NodeId id : graph_.ids()) {
      if (needed[id.index()] == 0) continue;
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      if (given_[id.index()] != 0) {
        values_[id.index()] = settled_.values[id.index()];
      } else if (auto done = compute(id); !done) {
        return std::move(done).error();
      }
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      if (wanted_[id.index()] != 0) {
        const auto value = value_of(id);
        if (value) {
          auto errors = errors_of(*value);
          if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
          if (auto done = visit_(id, std::move(errors)); !done) return std::move(done).error();
        }
      }
      settle(id);
      if (uses[id.index()] == 0) values_[id.index()].reset();
      if (given_[id.index()] != 0) continue;
      for (const NodeId operand : graph_.node(id).operands) {
        if (--uses[operand.index()] == 0) values_[operand.index()].reset();
      }
    }
    return finite_;
  }

 private:
  // By node: not 0 where its value is asked for, or read on the way from what is given.
  std::vector<char> needed_now() const {
    std::vector<char> out = wanted_;
    for (std::size_t i = out.size(); i-- > 0;) {
      if (out[i] == 0 || given_[i] != 0) continue;
      for (const NodeId operand : graph_.node(NodeId(i)).operands) out[operand.index()] = 1;
    }
    return out;
  }

  // Keeps what was computed for the draws that follow.
  void settle(NodeId id) {
    const auto& value = values_[id.index()];
    if (draws_.size() > 1 || settled_.may_be_kept[id.index()] == 0 || value == nullptr ||
        given_[id.index()] != 0)
      return;
    const std::size_t numbers = value->values().size();
    if (numbers > kMostSettled - settled_.numbers) return;
    settled_.numbers += numbers;
    settled_.values[id.index()] = value;
  }

  void number_inputs() {
    std::set<std::string> names;
    for (const NodeId id : graph_.inputs()) names.insert(graph_.node(id).input()->name);
    for (const std::string& name : names) numbers_.emplace(name, numbers_.size());
  }

  void hold_in_floats(NodeId id, Values& values) {
    std::vector<char> fits(number_of_lanes_, 1);
    lanes_.for_each(values,
                    [&](std::size_t lane) { fits[lane] = hold(values.lane(lane)) ? 1 : 0; });
    for (std::size_t draw = 0; draw < draws_.size(); ++draw)
      finite_[draw] = finite_[draw] && fits[draw * kLanesOfDraw] != 0;
    if (settled_.is_constant[id.index()] != 0) settled_.finite = settled_.finite && fits[0] != 0;
  }

  Status compute(NodeId id) {
    const Node& node = graph_.node(id);
    if (!node.type.shape || !are_numbers(node.type.dtype)) return Done{};
    if (const InputLeaf* input = node.input()) {
      values_[id.index()] = std::make_shared<const Values>(drawn_input(input->name, node.type));
    } else if (graph_.has_meaning(id)) {
      std::vector<std::shared_ptr<const Values>> held;
      std::vector<const Values*> operands;
      for (const NodeId operand : node.operands) {
        held.push_back(value_of(operand));
        if (held.back() == nullptr) return Done{};
        operands.push_back(held.back().get());
      }
      auto result = evaluate(id, *program_.at(id), std::move(operands));
      if (!result) return std::move(result).error();
      if (node.type.dtype == DType::Float) hold_in_floats(id, *result);
      values_[id.index()] = std::make_shared<const Values>(*std::move(result));
    }
    return Done{};
  }

  // Null where there is none. Constants are numbers in doubles where they are read: all of them at
  // once would be far more than everything else.
  std::shared_ptr<const Values> value_of(NodeId id) const {
    const Tensor* tensor = graph_.node(id).constant();
    if (tensor == nullptr || !are_numbers(tensor->type().dtype)) return values_[id.index()];
    auto out = Values::alike(tensor->shape(), number_of_lanes_);
    const std::vector<double> numbers = numbers_of(*tensor);
    copy(std::span(numbers), out.lane(0));
    return std::make_shared<const Values>(std::move(out));
  }

  Values drawn_input(const std::string& name, const TensorType& type) const {
    Values out(*type.shape, number_of_lanes_);
    for (std::size_t draw = 0; draw < draws_.size(); ++draw) {
      Drawing drawing(
          draws_[draw], numbers_.at(name),
          Digester("noisy input").add(name).add(seed_).add(draws_[draw].number()).finish().word());
      const auto first = out.lane(draw * kLanesOfDraw);
      for_each_part(first.size(), 1, stop_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) first[i] = as_element(type.dtype, drawing.next());
      });
    }
    lanes_.for_each_noisy(
        out, [&](std::size_t lane) { copy(exact_lane_of(lane, out), out.lane(lane)); });
    return out;
  }

  // Sums lose of each term as much as a rounding takes from it.
  Result<Values> evaluate(NodeId id, const MeaningCode& code,
                          std::vector<const Values*> operands) const {
    const Meaning& meaning = code.meaning();
    std::uint64_t word = first_word_ + (std::uint64_t{id.index()} << 20U);
    std::vector<Values> results;
    results.reserve(meaning.applications.size());
    for (std::size_t k = 0; k < meaning.applications.size(); ++k) {
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      results.push_back(functions_.result(id, code, k, operands, word));
      operands.push_back(&results.back());
    }
    if (code.is_result_in_place()) return std::move(results.back());
    auto sum = sums_.sum(code, operands);
    if (!sum || is_data_movement(meaning)) return sum;
    if (is_rounded_once(meaning) || adds_constant(meaning, graph_, graph_.node(id).operands)) {
      round_once(*sum, word);
      return sum;
    }
    auto sizes = sizes_of_sum(code, operands);
    if (!sizes) return std::move(sizes).error();
    const bool may_be_exact = is_difference(meaning);
    lanes_.for_each_noisy(*sum, [&](std::size_t lane) {
      Roundings roundings(word + lane);
      const auto size = std::as_const(*sizes).lane(lane / kLanesOfDraw);
      const auto numbers = sum->lane(lane);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double rounding = roundings.next();
        if (numbers[i] != 0 || !may_be_exact) numbers[i] += rounding * rounded_as(size[i]);
      }
    });
    return sum;
  }

  // What floats hold is not rounded: 1 times a number, or a small integer.
  void round_once(Values& values, std::uint64_t word) const {
    lanes_.for_each_noisy(values, [&](std::size_t lane) {
      Roundings roundings(word + lane);
      const auto exact = exact_lane_of(lane, values);
      const auto noisy = values.lane(lane);
      for (std::size_t i = 0; i < noisy.size(); ++i) {
        const double rounding = roundings.next();
        if (!is_float(exact[i])) noisy[i] += rounding * rounded_as(noisy[i]);
      }
    });
  }

  Result<Values> sizes_of_sum(const MeaningCode& code,
                              const std::vector<const Values*>& operands) const {
    std::vector<Values> sizes(operands.size());
    std::vector<const Values*> read;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      sizes[k] = Values(operands[k]->shape, draws_.size());
      for (std::size_t draw = 0; draw < draws_.size(); ++draw) {
        const auto exact = operands[k]->lane(draw * kLanesOfDraw);
        const auto size = sizes[k].lane(draw);
        for_each_part(exact.size(), threads_, stop_, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) size[i] = std::abs(exact[i]);
        });
      }
      read.push_back(&sizes[k]);
    }
    return sizes_.sum(code, read);
  }

  std::vector<DrawnErrors> errors_of(const Values& values) const {
    std::vector<DrawnErrors> out;
    for (std::size_t draw = 0; draw < draws_.size(); ++draw) {
      const auto exact = values.lane(draw * kLanesOfDraw);
      DrawnErrors& drawn = out.emplace_back(
          DrawnErrors{ZeroedArray<double>(exact.size()), ZeroedArray<double>(exact.size())});
      for_each_part(exact.size(), threads_, stop_, [&](std::size_t first, std::size_t last) {
        copy(exact.subspan(first, last - first), drawn.values.values().subspan(first));
        include_errors(values, draw, first, drawn.errors.values().subspan(first, last - first));
      });
    }
    return out;
  }

  // Of one draw, from element `first` on.
  static void include_errors(const Values& values, std::size_t draw, std::size_t first,
                             std::span<double> errors) {
    const auto exact = values.lane(draw * kLanesOfDraw).subspan(first);
    for (std::size_t run = 1; run <= kNoisyRuns; ++run) {
      const auto noisy = values.lane(draw * kLanesOfDraw + run).subspan(first);
      for (std::size_t i = 0; i < errors.size(); ++i) {
        const double error = (noisy[i] - exact[i]) / kRounding;
        errors[i] += error * error / kNoisyRuns;
      }
    }
    for (double& x : errors) x = std::sqrt(x);
  }

  const GraphCode& program_;
  const Graph& graph_;
  const std::vector<char>& wanted_;
  NoisyProgram::Settled& settled_;
  std::span<const Draw> draws_;
  std::size_t number_of_lanes_;
  const Digest& seed_;
  NoisyFunctions functions_;
  RealEvaluator<double> sums_;
  RealEvaluator<double> sizes_;
  std::size_t threads_;
  const std::stop_token& stop_;
  NoisyLanes lanes_;
  const Visit& visit_;
  std::map<std::string, std::size_t> numbers_;         // of the inputs
  std::uint64_t first_word_;                           // of all roundings
  std::vector<bool> finite_;                           // by draw
  std::vector<char> given_;                            // by node: settled before
  std::vector<std::shared_ptr<const Values>> values_;  // of inputs and operators
};

}  // namespace

NoisyProgram::NoisyProgram(const GraphCode& program, std::vector<char> wanted, const Digest& seed,
                           std::size_t threads, const std::stop_token& stop)
    : program_(program), wanted_(std::move(wanted)), seed_(seed), threads_(threads), stop_(stop) {
  const Graph& graph = program_.graph();
  const auto varies = graph.depends_on_inputs();
  settled_.values.resize(graph.nodes().size());
  settled_.is_constant.assign(graph.nodes().size(), 0);
  settled_.may_be_kept.assign(graph.nodes().size(), 0);
  for (const NodeId id : graph.ids()) {
    settled_.is_constant[id.index()] = varies[id.index()] == 0 ? 1 : 0;
    if (varies[id.index()] == 0) continue;
    for (const NodeId operand : graph.node(id).operands) {
      if (varies[operand.index()] == 0 && graph.node(operand).op() != nullptr)
        settled_.may_be_kept[operand.index()] = 1;
    }
  }
}

Result<std::vector<bool>> NoisyProgram::run(std::span<const Draw> draws, const Visit& visit) {
  return Run(program_, wanted_, settled_, draws, seed_, threads_, stop_, visit).run();
}

}  // namespace pet
