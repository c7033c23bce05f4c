// An operator on integers, exactly: for the shape arithmetic of a file, whose operands are
// constants.
#pragma once

#include <span>
#include <vector>

#include "core/ir/op.h"
#include "core/util/result.h"

namespace pet {

struct Integers {
  Shape shape;
  std::vector<std::int64_t> values;

  // The element at `index`, 0 outside.
  std::int64_t at(const std::vector<IndexExpr>& index, std::span<const Dim> axes) const;
};

// Unsupported: another number of operands, an element function that is not defined on integers, a
// factor that is no integer, a result that int64 cannot hold, more work than shape arithmetic
// takes.
Result<Integers> evaluate_integers(const Op& op, std::span<const Integers> operands);

// visit(axes) at every position of a shape, in row-major order, after the axes of `outer`.
template <class Visit>
void for_each_index(std::span<const Dim> outer, const Shape& shape, const Visit& visit) {
  std::vector<Dim> axes(outer.begin(), outer.end());
  axes.resize(outer.size() + shape.size(), 0);
  for (Dim left = count(shape); left > 0; --left) {
    visit(std::span<const Dim>(axes));
    for (std::size_t i = shape.size(); i-- > 0;) {
      Dim& at = axes[outer.size() + i];
      if (++at < shape[i]) break;
      at = 0;
    }
  }
}

}  // namespace pet
