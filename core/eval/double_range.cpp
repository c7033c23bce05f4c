#include "core/eval/double_range.h"

#include <algorithm>
#include <cmath>

#include "core/ir/needed.h"

namespace pet {
namespace {

// A float and such a coefficient in double are multiples of 2^-149. So what `n` of them are
// multiplied to, every sum of that, and whatever these are rounded to, is a multiple of 2^-149n,
// and none is beyond 2^128n by more than there are terms.
struct Width {
  int factors;      // at most
  int of_function;  // how many a function's result counts as
};
constexpr Width kDouble = {6, 7};
// A function's result may be anything. What is lost of a single one near 2^-16445 is nothing to a
// float, whatever 24 floats make of it; two of them may be far out on either side.
constexpr Width kLongDouble = {50, 26};
// Of an extreme coefficient: too many for either.
constexpr int kTooMany = 100;

bool is_moderate(const Rational& x) {
  const double size = std::abs(to_double(x));
  return size == 0 || (size >= 0x1p-96 && size <= 0x1p96);
}

// How many numbers a coefficient is multiplied of; too many where one of them is extreme.
int factors_of(const Coef& coef) {
  int factors = 0;
  if (coef.scale != 1) factors += is_moderate(coef.scale) ? 1 : kTooMany;
  for (const AxisTable& table : coef.tables) {
    const bool all = std::all_of(table.values.begin(), table.values.end(), is_moderate);
    factors += all ? 1 : kTooMany;
  }
  return factors;
}

bool fits(const Graph& graph, NodeId node, Width width) {
  const auto needed = needed_by(graph, node);
  std::vector<int> factors(needed.size(), 1);
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const Node& here = graph.node(NodeId(i));
    if (needed[i] == 0 || here.constant() != nullptr) continue;
    factors[i] = 0;
    for (const Term& term : graph.meaning(NodeId(i)).sum.terms) {
      int product = factors_of(term.coef);
      for (const Access& factor : term.factors) {
        const auto k = static_cast<std::size_t>(factor.operand);
        product += k < here.operands.size() ? factors[here.operands[k].index()] : width.of_function;
      }
      factors[i] = std::max(factors[i], product);
    }
    if (factors[i] > width.factors) return false;
  }
  return true;
}

}  // namespace

bool fits_doubles(const Graph& graph, NodeId node) { return fits(graph, node, kDouble); }

bool fits_long_doubles(const Graph& graph, NodeId node) { return fits(graph, node, kLongDouble); }

}  // namespace pet
