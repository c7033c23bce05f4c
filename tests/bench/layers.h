// Layers as programs, for timings.
#pragma once

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/weights.h"

namespace pet::bench {

inline Graph conv(const Shape& data, const Shape& kernel, const Attrs& attrs) {
  Rng rng(1);
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor(data));
  b.add_output(*b.add(ops::conv(), attrs, {x, test::normal_weight(b, kernel, rng)}));
  return std::move(b).build();
}

}  // namespace pet::bench
