#include "core/rewrite/same_meaning.h"

#include <algorithm>

namespace pet {
namespace {

bool is_same(const Access& a, const Access& b) {
  return a.operand == b.operand && a.index == b.index;
}

bool is_same(const Guard& a, const Guard& b) {
  return a.expr == b.expr && a.low == b.low && a.high == b.high && a.multiple_of == b.multiple_of;
}

bool is_same(const AxisTable& a, const AxisTable& b) {
  return a.axis == b.axis && a.values == b.values;
}

bool is_same(const Term& a, const Term& b);
bool is_same(const Application& a, const Application& b);

template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return is_same(x, y); });
}

bool is_same(const Term& a, const Term& b) {
  return a.coef.scale == b.coef.scale && are_same(a.coef.tables, b.coef.tables) &&
         a.reduce == b.reduce && are_same(a.guards, b.guards) && are_same(a.factors, b.factors);
}

bool is_same(const std::optional<Window>& a, const std::optional<Window>& b) {
  if (!a || !b) return !a && !b;
  return a->extent == b->extent && are_same(a->guards, b->guards) && is_same(a->read, b->read) &&
         a->symmetry == b->symmetry;
}

bool is_same(const Application& a, const Application& b) {
  return a.function == b.function && a.parameters == b.parameters && a.out == b.out &&
         are_same(a.elements, b.elements) && is_same(a.window, b.window);
}

}  // namespace

bool is_same_meaning(const Meaning& a, const Meaning& b) {
  return a.sum.out == b.sum.out && are_same(a.applications, b.applications) &&
         are_same(a.sum.terms, b.sum.terms);
}

}  // namespace pet
