#include "core/ops/parts/digits.h"

#include <algorithm>

#include "core/util/check.h"

namespace pet::ops {
namespace {

// Products of the extents to the right of each border between axes: [2,3,4] gives 1, 4, 12, 24.
std::vector<Dim> borders(const Shape& shape) {
  std::vector<Dim> out = {1};
  for (std::size_t i = shape.size(); i-- > 0;) out.push_back(out.back() * shape[i]);
  return out;
}

// The borders of both shapes, if each divides the next.
std::vector<Dim> common_borders(const Shape& a, const Shape& b) {
  std::vector<Dim> all = borders(a);
  const auto more = borders(b);
  all.insert(all.end(), more.begin(), more.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (all[i + 1] % all[i] != 0) return {};
  }
  return all;
}

// The digit [low, high) of the flat position, from the axis of `shape` that holds it.
IndexExpr digit(const Shape& shape, Dim low, Dim high) {
  Dim inner = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    const Dim outer = inner * shape[i];
    if (inner <= low && high <= outer && inner != outer) {
      const IndexExpr quotient = div(v(i), low / inner);
      return high == outer ? quotient : mod(quotient, high / low);
    }
    inner = outer;
  }
  PET_CHECK(false, "no axis holds this digit");
}

}  // namespace

std::vector<IndexExpr> reshaped_index(const Shape& from, const Shape& to) {
  std::vector<IndexExpr> index(from.size(), IndexExpr(0));
  if (count(from) == 0) return index;
  const auto cuts = common_borders(from, to);
  const auto strides = row_major_strides(from);
  if (!cuts.empty()) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
        if (cuts[k] < strides[i] || cuts[k + 1] > strides[i] * from[i]) continue;
        index[i] += digit(to, cuts[k], cuts[k + 1]) * (cuts[k] / strides[i]);
      }
    }
    return index;
  }
  IndexExpr flat;
  const auto to_strides = row_major_strides(to);
  for (std::size_t i = 0; i < to.size(); ++i) flat += v(i) * to_strides[i];
  for (std::size_t i = 0; i < from.size(); ++i) {
    index[i] = div(flat, strides[i]);
    if (i > 0) index[i] = mod(index[i], from[i]);
  }
  return index;
}

}  // namespace pet::ops
