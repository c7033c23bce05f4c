// Identity: the operand itself.
#include "core/ops/ops.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_identity(const Op&, std::span<const Shape> in) {
  return Meaning{{}, read_in_place(0, in[0])};
}

}  // namespace

const OpDef& identity() {
  static const OpDef def{.name = "Identity",
                         .summary = "the operand itself",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_identity,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
