#include "verify/bitmap/proof_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/eval/windows.h"
#include "verify/values/step_limit.h"

namespace pet {
namespace {

// Bits, as many as the certificate checker takes; repeated squaring of a constant doubles them each
// time.
constexpr std::size_t kLongestDenominator = std::size_t{1} << 16;
constexpr double kMostElements = 4e9;  // of one program; what a proof could not hold anyway
constexpr double kMostBytes = 0x1p32;  // of the residues of one value, or of what a window reads

double bytes_of_window(const Application& application) {
  if (!application.window) return 0;
  double offsets = static_cast<double>(count(distinct_windows(application)));
  for (const Dim extent : application.window->extent) offsets *= static_cast<double>(extent);
  return offsets * sizeof(Dim);
}

// One program after the other, node by node.
class Planner {
 public:
  Planner(const ValueTable& computed, const std::stop_token& stop)
      : computed_(computed), stop_(stop) {}

  // REQUIRES: `of` yields the value of each node
  template <class ValueOf>
  Status include(const Graph& graph, const ValueOf& of) {
    std::vector<PolynomialSize> sizes;
    double elements = 0;
    for (const NodeId id : graph.ids()) {
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      const Node& node = graph.node(id);
      const ValueId value = of(id);
      std::vector<const PolynomialSize*> operands;
      for (const NodeId operand : node.operands) operands.push_back(&sizes[operand.index()]);
      const Meaning* meaning = graph.has_meaning(id) ? &graph.meaning(id) : nullptr;
      sizes.push_back(size_of(node, computed_.value(value).role, meaning, operands));
      if (mpz_sizeinbase(sizes.back().denominator.get_mpz_t(), 2) > kLongestDenominator)
        return Error{"coefficients with denominators too long to compute with"};
      elements += node.type.shape ? static_cast<double>(count(*node.type.shape)) : 1;
      // Nothing that both compute alike is evaluated twice.
      if (computed_.value(value).graph == &graph) steps_ += evaluation_steps(graph, id);
      auto held = elements_of(node, meaning);
      if (!held) return std::move(held).error();
      widest_ = std::max(widest_, static_cast<double>(*held));
      bound_.include(sizes.back(), *held);
    }
    if (elements > kMostElements)
      return Error{fmt::format("{:.3g} elements are too many to evaluate", elements)};
    return Done{};
  }

  Result<ProofPlan> finish(double log2_error, std::optional<std::size_t> most_steps) const {
    const auto plan = bound_.plan(log2_error);
    if (!plan) {
      return Error{fmt::format(
          "an error of 2^{:.0f} needs more than {} comparisons by {} primes (degree {:.3g}, "
          "coefficients of {:.3g} bits)",
          log2_error, ErrorBound::kMostComparisons, ErrorBound::kMostPrimes, bound_.degree,
          bound_.length_bits)};
    }
    const auto primes = static_cast<double>(plan->comparisons * plan->primes);
    if (most_steps && steps_ * primes > static_cast<double>(*most_steps))
      return more_than_steps(*most_steps);
    if (widest_ * static_cast<double>(plan->primes * sizeof(std::uint32_t)) > kMostBytes)
      return Error{fmt::format("a value of {:.3g} elements is too large to evaluate", widest_)};
    return ProofPlan{bound_, *plan};
  }

 private:
  // Of a value and what its functions yield on the way.
  static Result<Dim> elements_of(const Node& node, const Meaning* meaning) {
    Dim out = node.type.shape ? count(*node.type.shape) : 1;
    if (meaning == nullptr) return out;
    for (const Application& application : meaning->applications) {
      out += count(application.out);
      if (bytes_of_window(application) > kMostBytes)
        return Error{"a window reads too many elements to be evaluated"};
    }
    return out;
  }

  const ValueTable& computed_;
  const std::stop_token& stop_;
  ErrorBound bound_;
  double widest_ = 0;  // elements
  double steps_ = 0;   // modulo one prime
};

}  // namespace

Result<ProofPlan> plan_proof(const Graph& original, const Graph& mutant, const ValueTable& computed,
                             double log2_error, std::optional<std::size_t> most_steps,
                             const std::stop_token& stop) {
  Planner planner(computed, stop);
  auto done = planner.include(original, [&](NodeId id) { return computed.of_original(id); });
  if (done) done = planner.include(mutant, [&](NodeId id) { return computed.of_mutant(id); });
  if (!done) return std::move(done).error();
  return planner.finish(log2_error, most_steps);
}

}  // namespace pet
