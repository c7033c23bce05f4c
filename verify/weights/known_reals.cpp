#include "verify/weights/known_reals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "core/ir/copy.h"
#include "core/ir/known_numbers.h"
#include "core/ops/ops.h"

namespace pet {
namespace {

constexpr int kBits = 24;           // of a float
constexpr int kLargestRoot = 1024;  // roots of whole numbers up to here: sizes of attention heads

bool is_float(const mpz_class& x) {
  const auto number = static_cast<float>(x.get_d());
  return std::isfinite(number) && Rational(number) == Rational(x);
}

// The closest fraction of two floats: the last convergent of the continued fraction whose parts
// they hold. REQUIRES: x is positive
Rational fraction_of_floats(long double x) {
  mpz_class before_p = 0, before_q = 1, p = 1, q = 0;
  for (int i = 0; i < 40; ++i) {
    const long double whole = std::floor(x);
    const mpz_class next_p = static_cast<long>(whole) * p + before_p;
    const mpz_class next_q = static_cast<long>(whole) * q + before_q;
    if (!is_float(next_p) || !is_float(next_q)) break;
    before_p = p, before_q = q, p = next_p, q = next_q;
    if (x == whole) break;
    x = 1 / (x - whole);
  }
  return Rational(p, q);
}

Rational times_power_of_two(const Rational& x, int exponent) {
  Rational out;
  if (exponent >= 0) {
    mpq_mul_2exp(out.get_mpq_t(), x.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  } else {
    mpq_div_2exp(out.get_mpq_t(), x.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  }
  return out;
}

// For a real and for its inverse, times a power of two. Both are there of roots of 2, of which one
// is the other times such a power.
struct Fractions {
  std::optional<Rational> real;
  std::optional<Rational> inverse;
};

// From 1/2 up to 1, by their nearest floats.
std::map<float, Fractions> irrational_mantissas() {
  std::map<float, Fractions> out;
  const auto include = [&](long double real) {
    const Rational fraction = fraction_of_floats(real);
    int exponent = 0;
    const auto direct = static_cast<float>(std::frexp(real, &exponent));
    auto& known = out[direct].real;
    if (!known) known = times_power_of_two(fraction, -exponent);
    const auto inverted = static_cast<float>(std::frexp(1 / real, &exponent));
    auto& known_inverse = out[inverted].inverse;
    if (!known_inverse) known_inverse = times_power_of_two(1 / fraction, -exponent);
  };
  using std::numbers::pi_v;
  include(pi_v<long double>);
  include(std::sqrt(pi_v<long double>));
  include(std::sqrt(2 * pi_v<long double>));
  include(std::sqrt(2 / pi_v<long double>));
  include(std::numbers::ln2_v<long double>);
  include(std::numbers::ln10_v<long double>);
  include(std::numbers::e_v<long double>);
  for (int n = 2; n <= kLargestRoot; ++n) {
    const long double root = std::sqrt(static_cast<long double>(n));
    if (root != std::floor(root)) include(root);
  }
  return out;
}

bool has_few_bits(float x) {
  constexpr int kFew = 12;
  int exponent = 0;
  const float mantissa = std::ldexp(std::frexp(x, &exponent), kFew);
  return mantissa == std::floor(mantissa);
}

std::optional<Rational> if_of_floats(Rational x, float nearest) {
  if (!is_float(x.get_num()) || !is_float(x.get_den())) return std::nullopt;
  if (static_cast<float>(x.get_num().get_d() / x.get_den().get_d()) != nearest) return std::nullopt;
  return x;
}

// As people write it: by a small denominator, or with six digits.
std::optional<Rational> simple_fraction(float x) {
  constexpr int kLargestDenominator = 1000;
  for (int d = 3; d <= kLargestDenominator; ++d) {
    const double numerator = std::round(static_cast<double>(x) * d);
    if (std::abs(numerator) >= 0x1p24) break;
    if (static_cast<float>(numerator / d) != x) continue;
    Rational found(static_cast<long>(numerator), d);
    found.canonicalize();
    return if_of_floats(found, x);
  }
  std::string digits = fmt::format("{:.5e}", x);
  if (std::strtof(digits.c_str(), nullptr) != x) return std::nullopt;
  const auto at = digits.find('e');
  const int exponent = std::stoi(digits.substr(at + 1)) - 5;
  digits = digits.substr(0, at);
  std::erase(digits, '.');
  mpz_class ten;
  mpz_ui_pow_ui(ten.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(exponent)));
  Rational found{mpz_class(digits)};
  found = exponent < 0 ? Rational(found / ten) : Rational(found * ten);
  return if_of_floats(found, x);
}

const Tensor* one_number(const Graph& graph, NodeId id) {
  const Tensor* constant = graph.node(id).constant();
  const bool is_one = constant != nullptr && constant->type().dtype == DType::Float &&
                      count(constant->shape()) == 1;
  return is_one ? constant : nullptr;
}

std::map<const OpDef*, std::size_t> numbers_of_operators(const Graph& graph) {
  const auto needed = graph.needed_by_outputs();
  std::map<const OpDef*, std::size_t> out;
  for (const NodeId id : graph.ids())
    if (needed[id.index()] != 0 && graph.has_meaning(id)) ++out[graph.node(id).op()->def];
  return out;
}

Result<Graph> spelled_out(const Graph& graph, const std::set<const OpDef*>& which,
                          std::size_t& number) {
  GraphBuilder builder;
  const auto instead = [&](NodeId id) -> Result<Instead> {
    const Node& node = graph.node(id);
    if (!graph.has_meaning(id) || !which.contains(node.op()->def)) return Instead(AsItIs{});
    return Instead(MadeOf{node.operands, [&, id](std::vector<NodeId> read) -> Result<NodeId> {
                            const Op& op = *graph.node(id).op();
                            auto made = op.def->spelled_out(op, builder, read);
                            if (!made) return copy_node(builder, graph.node(id), std::move(read));
                            ++number;
                            return made;
                          }});
  };
  return GraphCopy(graph, builder, {.instead = instead}).build();
}

// Of constants that decide what an operator means the number is another one, the others are
// computed as a quotient of two floats.
class Replacing {
 public:
  Replacing(const Graph& source, std::size_t& number) : source_(source), number_(number) {}

  Result<Graph> run() && {
    const auto instead = [&](NodeId id) -> Result<Instead> {
      const Node& node = source_.node(id);
      const auto is_known = [&](NodeId operand) { return real_of(operand).has_value(); };
      if (!source_.has_meaning(id) || std::ranges::none_of(node.operands, is_known))
        return Instead(AsItIs{});
      return Instead(MadeOf{node.operands, [this, id](std::vector<NodeId> read) {
                              return with_reals(id, std::move(read));
                            }});
    };
    return GraphCopy(source_, builder_, {.instead = instead}).build();
  }

 private:
  std::optional<Rational> real_of(NodeId id) const {
    const Tensor* constant = one_number(source_, id);
    return constant == nullptr ? std::nullopt : known_real(constant->floats()[0]);
  }

  Result<NodeId> with_reals(NodeId id, std::vector<NodeId> read) {
    const Node& node = source_.node(id);
    KnownNumbers numbers = known_numbers(source_, *node.op()->def, node.operands);
    for (std::size_t place = 0; place < read.size(); ++place) {
      const auto real = real_of(node.operands[place]);
      if (!real) continue;
      ++number_;
      if (place < numbers.size() && numbers[place]) {
        numbers[place] = *real;
        continue;
      }
      auto quotient = this->quotient(*real, *source_.node(node.operands[place]).type.shape);
      if (!quotient) return quotient;
      read[place] = *quotient;
    }
    return builder_.add_knowing(numbers, *node.op(), std::move(read), node.name);
  }

  Result<NodeId> quotient(const Rational& real, const Shape& shape) {
    const auto constant = [&](const mpz_class& x) {
      return builder_.add_constant(std::make_shared<const Tensor>(
          Tensor::of_floats(shape, {static_cast<float>(x.get_d())})));
    };
    return builder_.add(ops::div(), {}, {constant(real.get_num()), constant(real.get_den())});
  }

  const Graph& source_;
  std::size_t& number_;
  GraphBuilder builder_;
};

}  // namespace

std::optional<Rational> known_real(float x) {
  if (!std::isfinite(x) || x == 0 || has_few_bits(x)) return std::nullopt;
  if (x < 0) {
    auto positive = known_real(-x);
    if (positive) *positive = -*positive;
    return positive;
  }
  static const std::map<float, Fractions> irrational = irrational_mantissas();
  int exponent = 0;
  const float mantissa = std::frexp(x, &exponent);
  if (const auto found = irrational.find(mantissa); found != irrational.end()) {
    // People divide by roots, and multiply by what is below 1.
    const auto& [direct, inverse] = found->second;
    const Rational& fraction = inverse && (x < 1 || !direct) ? *inverse : *direct;
    if (auto real = if_of_floats(times_power_of_two(fraction, exponent), x)) return real;
  }
  return simple_fraction(x);
}

Result<std::optional<KnownReals>> with_known_reals(const Graph& original, const Graph& mutant) {
  const auto theirs = numbers_of_operators(original);
  const auto mine = numbers_of_operators(mutant);
  std::set<const OpDef*> which;
  for (const auto* some : {&theirs, &mine}) {
    for (const auto& [def, number] : *some) {
      const auto in = [&, one = def](const auto& all) {
        const auto it = all.find(one);
        return it == all.end() ? std::size_t{0} : it->second;
      };
      if (def->spelled_out != nullptr && in(theirs) != in(mine)) which.insert(def);
    }
  }
  KnownReals out;
  std::array<Graph, 2> made;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto simple = spelled_out(i == 0 ? original : mutant, which, out.spelled_out);
    if (!simple) return simple.error();
    auto replaced = Replacing(*simple, out.constants).run();
    if (!replaced) return std::move(replaced).error();
    made[i] = *std::move(replaced);
  }
  if (out.spelled_out + out.constants == 0) return std::optional<KnownReals>{};
  out.original = std::move(made[0]);
  out.mutant = std::move(made[1]);
  return std::optional(std::move(out));
}

}  // namespace pet
