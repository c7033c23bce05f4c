#include "verify/symmetry/symmetry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/eval/evaluate.h"
#include "core/util/rng.h"
#include "verify/bitmap/error_bound.h"
#include "verify/symmetry/thinned.h"

namespace pet::symmetry {
namespace {

constexpr std::size_t kMostPrimes = 24;

// Its operands are the factors of all terms in a row.
Meaning meaning_of(const DigitValue& value) {
  Meaning out;
  out.sum.out = value.digits;
  int operand = 0;
  for (const DigitTerm& term : value.terms) {
    Term& made = out.sum.terms.emplace_back(Term{term.coef, term.sums, term.guards, {}});
    for (const Read& read : term.factors) made.factors.push_back({operand++, read.index});
  }
  return out;
}

double steps_of(const DigitProgram& program) {
  double out = 0;
  for (const DigitValue& value : program.values) {
    const auto elements = static_cast<double>(count(value.digits));
    out += value.leaf ? elements : 0;
    for (const DigitTerm& term : value.terms)
      out += elements *
             static_cast<double>(count(term.sums) * (1 + static_cast<Dim>(term.factors.size())));
  }
  return out;
}

// Bits, as many as the bitmap engine takes: squares of squares of a constant double them each time.
constexpr std::size_t kLongestDenominator = std::size_t{1} << 16;

// The sizes of all polynomials that either program makes of its leaves. An Error where they are too
// long to be written down.
Status include(const Graph& graph, const Graph& original, ErrorBound& bound) {
  std::vector<PolynomialSize> sizes;
  for (const NodeId id : graph.ids()) {
    const Node& node = graph.node(id);
    std::vector<const PolynomialSize*> operands;
    for (const NodeId operand : node.operands) operands.push_back(&sizes[operand.index()]);
    const Tensor* tensor = node.constant();
    const auto role = tensor != nullptr ? role_beside(original, *tensor) : ConstantRole::Symbol;
    const Meaning* meaning = graph.has_meaning(id) ? &graph.meaning(id) : nullptr;
    sizes.push_back(size_of(node, role, meaning, operands));
    if (mpz_sizeinbase(sizes.back().denominator.get_mpz_t(), 2) > kLongestDenominator)
      return Error{"coefficients with denominators too long to compute with",
                   ErrorKind::Unsupported};
    bound.include(sizes.back(), 0);
  }
  return Done{};
}

class Run {
 public:
  Run(const Thinned& thinned, const Options& options, std::size_t primes)
      : thinned_(thinned),
        options_(options),
        evaluator_(primes_of(options.secret, primes), options.secret, options.threads,
                   options.stop),
        values_(thinned.program.values.size()) {}

  // Whether both have the same residues everywhere.
  Result<bool> run() {
    const auto& values = thinned_.program.values;
    std::vector<std::size_t> uses(values.size(), 0);
    for (const DigitValue& value : values) {
      for (const DigitTerm& term : value.terms)
        for (const Read& read : term.factors) ++uses[read.value];
    }
    ++uses[thinned_.program.original];
    ++uses[thinned_.program.mutant];
    for (std::size_t number = 0; number < values.size(); ++number) {
      if (options_.stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      auto made = values[number].leaf ? leaf(number) : computed(number);
      if (!made) return std::move(made).error();
      values_[number] = *std::move(made);
      for (const DigitTerm& term : values[number].terms) {
        for (const Read& read : term.factors) {
          if (--uses[read.value] == 0) values_[read.value].reset();
        }
      }
    }
    return std::ranges::equal(values_[thinned_.program.original]->values(),
                              values_[thinned_.program.mutant]->values());
  }

 private:
  static std::vector<PrimeField> primes_of(const Digest& secret, std::size_t number) {
    KeyStream keys(Digester("primes of symmetry").add(secret).finish(), 0);
    return draw_primes(keys, number);
  }

  Result<ResidueTensor> leaf(std::size_t number) const {
    const DigitValue& value = thinned_.program.values[number];
    const ResidueRing& ring = evaluator_.ring();
    ResidueTensor out(value.digits, ring.lanes());
    const Digest key =
        Digester("leaf of symmetry").add(options_.secret).add(value.leaf->key).finish();
    for (std::size_t lane = 0; lane < ring.lanes(); ++lane) {
      const auto elements = out.lane(lane);
      if (value.leaf->numbers) {
        const std::vector<double> numbers = numbers_of(*value.leaf->numbers);
        ring.field(lane).residues(numbers, elements);
        continue;
      }
      std::vector<std::uint64_t> words(elements.size());
      KeyStream(key, lane).fill(words);
      for (std::size_t i = 0; i < words.size(); ++i)
        elements[i] = ring.field(lane).reduce(words[i]);
      clear_behind_first(number, elements);
    }
    return out;
  }

  void clear_behind_first(std::size_t number, std::span<std::uint32_t> elements) const {
    const Shape& digits = thinned_.program.values[number].digits;
    const auto strides = row_major_strides(digits);
    for (std::size_t k = 0; k < digits.size(); ++k) {
      if (thinned_.is_zero_behind_first[number][k] == 0) continue;
      for (std::size_t i = 0; i < elements.size(); ++i) {
        if (static_cast<Dim>(i) / strides[k] % digits[k] != 0) elements[i] = 0;
      }
    }
  }

  Result<ResidueTensor> computed(std::size_t number) const {
    const DigitValue& value = thinned_.program.values[number];
    std::vector<const ResidueTensor*> operands;
    for (const DigitTerm& term : value.terms)
      for (const Read& read : term.factors) operands.push_back(&*values_[read.value]);
    return evaluator_.evaluate(meaning_of(value), operands);
  }

  const Thinned& thinned_;
  const Options& options_;
  const ResidueEvaluator evaluator_;
  std::vector<std::optional<ResidueTensor>> values_;
};

}  // namespace

Result<Compared> compare(const Graph& original, const Graph& mutant, const Options& options) {
  auto program = in_digits(original, mutant);
  if (!program) return std::move(program).error();
  const double all = steps_of(*program);
  const FreeDigits free = free_digits(*program);
  const Thinned thin = thinned(*std::move(program), free);
  ErrorBound bound;
  if (auto done = include(original, original, bound); !done) return std::move(done).error();
  if (auto done = include(mutant, original, bound); !done) return std::move(done).error();
  const double elements = std::log2(std::max<double>(
      2, static_cast<double>(count(thin.program.values[thin.program.original].digits))));
  Compared out;
  do {
    if (++out.primes > kMostPrimes)
      return Error{"polynomials too large for this probability", ErrorKind::Unsupported};
    out.log2_error = elements + static_cast<double>(out.primes) * bound.log2_miss();
  } while (out.log2_error > options.log2_error);
  const double steps = steps_of(thin.program);
  out.share = steps / std::max(all, 1.0);
  if (steps * static_cast<double>(out.primes) > options.most_steps)
    return Error{fmt::format("{:.3g} steps are left", steps), ErrorKind::Unsupported};
  auto equal = Run(thin, options, out.primes).run();
  if (!equal) return std::move(equal).error();
  out.are_equal = *equal;
  return out;
}

}  // namespace pet::symmetry
