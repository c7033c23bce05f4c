// The one place that says which element an access reads.
#pragma once

#include <optional>
#include <span>

#include "core/ir/index_expr.h"
#include "core/ir/shape.h"

namespace pet {

// Its row-major position in a tensor of that shape; nothing outside of it, where 0 is read.
// REQUIRES: one index an axis of the shape
inline std::optional<Dim> position_read(std::span<const IndexExpr> index, const Shape& shape,
                                        std::span<const Dim> axes) {
  Dim flat = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const Dim at = index[d].value(axes);
    if (at < 0 || at >= shape[d]) return std::nullopt;
    flat = flat * shape[d] + at;
  }
  return flat;
}

}  // namespace pet
