#include "core/ops/parts/global_pool.h"

#include <fmt/format.h>

#include <numeric>

#include "core/ops/parts/rearranged.h"
#include "core/util/check.h"

namespace pet::ops {
namespace {

Ints from_second_on(std::size_t rank) {
  Ints spatial(rank - 2);
  std::iota(spatial.begin(), spatial.end(), 2);
  return spatial;
}

}  // namespace

Result<Ints> spatial_axes(const Op& op, const Shape& shape) {
  if (shape.size() < 3)
    return Error{fmt::format("{}: {} has no spatial axis", op.def->name, to_string(shape))};
  return from_second_on(shape.size());
}

Op over_spatial_axes(const OpDef& reduction, std::span<const std::size_t> order) {
  auto op = make_op(reduction, Attrs{{"axes", new_places(from_second_on(order.size()), order)}});
  PET_CHECK(op.ok(), "these are attributes of a reduction");
  return *std::move(op);
}

}  // namespace pet::ops
