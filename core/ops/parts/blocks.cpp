#include "core/ops/parts/blocks.h"

#include <fmt/format.h>

namespace pet::ops {

Result<BlockForm> block_form(const Op& op, const Shape& image) {
  constexpr Dim kLargest = Dim{1} << 16;
  const Dim size = op.integer("blocksize");
  const std::string& mode = op.text("mode");
  if (image.size() != 4)
    return Error{fmt::format("{}: {} is not of rank 4", op.def->name, to_string(image))};
  if (size < 1 || size > kLargest)
    return Error{fmt::format("{}: a blocksize of {}", op.def->name, size)};
  if (mode != "DCR" && mode != "CRD")
    return Error{fmt::format("{}: mode is neither DCR nor CRD", op.def->name)};
  return BlockForm{size, mode == "DCR" ? BlockOrder::Outer : BlockOrder::Inner};
}

}  // namespace pet::ops
