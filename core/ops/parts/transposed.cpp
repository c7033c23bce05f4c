#include "core/ops/parts/transposed.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/ops/parts/pieces.h"

namespace pet::ops {

Result<std::vector<Phase>> phases(const SlidingAxis& axis, const IndexExpr& o, const IndexExpr& j) {
  const Dim stride = axis.stride;
  // Where remainders are taps all phases are one; else the taps of a phase are so far apart.
  if (axis.dilation == 1 && axis.pad_begin % stride == 0) {
    return std::vector<Phase>{{(axis.kernel - 1) / stride + 1,
                               div(o, stride) + axis.pad_begin / stride - j,
                               mod(o, stride) + j * stride,
                               {}}};
  }
  const Dim apart = stride / std::gcd(stride, axis.dilation);
  const Dim number = std::min(axis.kernel, apart);
  if (number > static_cast<Dim>(kMostPieces)) {
    return Error{fmt::format("ConvTranspose: {} kinds of positions along an axis", number),
                 ErrorKind::Unsupported};
  }
  std::vector<Phase> out;
  for (Dim first = 0; first < number; ++first) {
    const Dim behind = axis.pad_begin - first * axis.dilation;
    const Dim remainder = floor_mod(-behind, stride);
    Phase phase{(axis.kernel - 1 - first) / apart + 1,
                div(o, stride) + floor_div(remainder + behind, stride) -
                    j * (axis.dilation * apart / stride),
                j * apart + first,
                {}};
    if (stride > 1) phase.guards = {{mod(o, stride), remainder, remainder + 1}};
    out.push_back(std::move(phase));
  }
  return out;
}

std::optional<Dim> transposed_extent(Dim input, Dim stride, Dim dilation, Dim kernel,
                                     Dim output_padding) {
  if (input < 1 || kernel < 1) return std::nullopt;
  if (input - 1 > kMaxElements / stride || kernel - 1 > kMaxElements / dilation)
    return std::nullopt;
  return (input - 1) * stride + (kernel - 1) * dilation + 1 + output_padding;
}

}  // namespace pet::ops
