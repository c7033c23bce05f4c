#include "core/eval/double_range.h"

#include <algorithm>
#include <cmath>

#include "core/ir/needed.h"

namespace pet {
namespace {

// A float and such a coefficient in double are multiples of 2^-149. So what `n` of them are
// multiplied to, every sum of that, and whatever these are rounded to, is a multiple of 2^-149n.
constexpr int kMostFactors = 6;

bool is_moderate(const Rational& x) {
  const double size = std::abs(to_double(x));
  return size == 0 || (size >= 0x1p-96 && size <= 0x1p96);
}

// How many numbers a coefficient is multiplied of; too many where one of them is extreme.
int factors_of(const Coef& coef) {
  int factors = 0;
  if (coef.scale != 1) factors += is_moderate(coef.scale) ? 1 : kMostFactors + 1;
  for (const AxisTable& table : coef.tables) {
    const bool all = std::all_of(table.values.begin(), table.values.end(), is_moderate);
    factors += all ? 1 : kMostFactors + 1;
  }
  return factors;
}

}  // namespace

bool fits_doubles(const Graph& graph, NodeId node) {
  const auto needed = needed_by(graph, node);
  std::vector<int> factors(needed.size(), 1);
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const Node& here = graph.node(NodeId(i));
    if (needed[i] == 0 || here.constant() != nullptr) continue;
    factors[i] = 0;
    for (const Term& term : graph.meaning(NodeId(i)).sum.terms) {
      int product = factors_of(term.coef);
      for (const Access& factor : term.factors)
        product += factors[here.operands[static_cast<std::size_t>(factor.operand)].index()];
      factors[i] = std::max(factors[i], product);
    }
    if (factors[i] > kMostFactors) return false;
  }
  return true;
}

}  // namespace pet
