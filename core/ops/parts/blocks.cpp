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

Imported blocks_from_onnx(const OnnxCall& call, const OpDef& def, int mode_since) {
  if (call.opset < mode_since && call.attrs.has("mode"))
    return Error{fmt::format("{}: has no mode before operator set {}", def.name, mode_since)};
  return one_result(def, call.attrs, {std::size_t{0}});
}

Result<OnnxEmitted> blocks_to_onnx(const Op& op, int opset, int mode_since) {
  Attrs attrs = op.attrs;
  if (opset < mode_since) {
    if (op.text("mode") != "DCR") return not_in_opset(op, "mode", opset, "it has no modes there");
    attrs.erase("mode");
  }
  return OnnxEmitted{op.def->name, std::move(attrs), {std::size_t{0}}};
}

}  // namespace pet::ops
