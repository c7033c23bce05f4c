// What an operator computes, by its meaning, as bodies of kernels.
#pragma once

#include <span>

#include "core/util/result.h"
#include "gpu/kernel/kernel.h"

namespace pet::gpu {

// Port: where the operands of a meaning are found, and where what cannot be computed on the way is
// kept.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  // An element of an operand, 0 outside of it. `extents`: of the axes of the index. In a fold each
  // is read many times.
  virtual ExpressionRef read(std::size_t operand, std::span<const IndexExpr> index,
                             const Shape& extents, bool in_fold) = 0;
  // The number of a buffer that holds it.
  virtual int keep(Body body) = 0;
};

// REQUIRES: `operands` are the shapes that the meaning was made for
Result<Body> body_of(const Meaning& meaning, std::span<const Shape> operands,
                     Surroundings& surroundings);

}  // namespace pet::gpu
