#include "core/ops/parts/row.h"

namespace pet::ops {

Application along_rows(const ElementFunction& function, std::vector<double> parameters,
                       const Shape& shape, std::span<const Dim> axes) {
  Window window{.extent = {},
                .guards = {},
                .read = {0, identity_index(shape)},
                .symmetry = Symmetry::Multiset};
  for (const Dim axis : axes) {
    const auto a = static_cast<std::size_t>(axis);
    window.read.index[a] = v(shape.size() + window.extent.size());
    window.extent.push_back(shape[a]);
  }
  return {&function, std::move(parameters), shape, {{0, identity_index(shape)}}, std::move(window)};
}

}  // namespace pet::ops
