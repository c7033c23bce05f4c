// Resize: other extents, by the nearest element or by weighted neighbours. Crops, cubic weights and
// smoothing are not interpreted, and neither is what float32 and exact coordinates disagree about.
#include <fmt/format.h>

#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/resized_axis.h"

namespace pet::ops {
namespace {

Error not_interpreted(std::string_view what) {
  return {fmt::format("Resize: {} is not interpreted", what), ErrorKind::Unsupported};
}

bool is_rounding(std::string_view mode) {
  return mode == "floor" || mode == "ceil" || mode == "round_prefer_floor" ||
         mode == "round_prefer_ceil";
}

Result<Meaning> lower_resize(const Op& op, std::span<const Shape> in) {
  const Ints& sizes = op.ints("sizes");
  const bool nearest = op.text("mode") == "nearest";
  if (!nearest && op.text("mode") != "linear")
    return not_interpreted("a mode besides nearest and linear");
  if (!is_rounding(op.text("nearest_mode"))) return not_interpreted("attribute nearest_mode");
  if (sizes.size() != in[0].size() || !checked_count(sizes))
    return Error{fmt::format("Resize: {} to {}", to_string(in[0]), to_string(sizes))};
  // Where nothing changes runtimes copy. Channels are the second axis, or the last one of images.
  const bool is_copy = sizes == in[0];
  const bool is_last = sizes.size() == 4 && in[0][1] != sizes[1] && in[0][3] == sizes[3];
  const std::size_t channels = is_last ? 3 : 1;
  std::vector<std::vector<Piece>> axes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool is_outside = is_copy || (sizes.size() >= 4 && (i == 0 || i == channels));
    const ResizedAxis axis{i, in[0][i], sizes[i], op.text("coordinate_transformation_mode"),
                           is_outside};
    if (auto done = check_resized(axis); !done) return std::move(done).error();
    auto pieces = nearest ? nearest_pieces(axis, op.text("nearest_mode")) : linear_pieces(axis);
    if (!pieces) return std::move(pieces).error();
    axes.push_back(*std::move(pieces));
  }
  auto terms = sum_of_pieces("Resize", axes);
  if (!terms) return std::move(terms).error();
  return Meaning{{}, {sizes, *std::move(terms)}};
}

// ---- as files hold it

// Of whatever type it is.
AttrValue value_or(const OnnxCall& call, std::string_view name, const char* standard) {
  const AttrValue* value = call.attrs.find(name);
  return value == nullptr ? AttrValue{std::string(standard)} : *value;
}

// An empty tensor stands for an absent one.
bool is_given(const OnnxCall& call, std::size_t operand) {
  if (!call.has(operand)) return false;
  return call.operands[operand].shape.all() != Shape{0};
}

// An extent that scales to a whole number has the same coordinates as if that number were given.
Result<Ints> scaled(const OnnxCall& call, const Ints& axes, const Shape& from) {
  if (!call.operands[2].floats) return not_interpreted("a scale that is no constant");
  const auto& scales = *call.operands[2].floats;
  if (scales.size() != axes.size())
    return Error{fmt::format("Resize: {} scales for {} axes", scales.size(), axes.size())};
  Ints sizes;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const Dim extent = from[static_cast<std::size_t>(axes[i])];
    if (!(scales[i] > 0 && scales[i] < static_cast<double>(kMaxElements)))
      return Error{fmt::format("Resize: a scale of {}", scales[i])};
    const Rational size = exact(scales[i]) * extent;
    if (size.get_den() != 1 || size > kMaxElements)
      return not_interpreted(fmt::format("a scale of {} on {} positions", scales[i], extent));
    sizes.push_back(size.get_num().get_si());
  }
  return sizes;
}

Status only_known_attributes(const OnnxCall& call) {
  auto known = only_attributes(call, {"mode", "coordinate_transformation_mode", "nearest_mode",
                                      "cubic_coeff_a", "exclude_outside", "extrapolation_value",
                                      "antialias", "axes", "keep_aspect_ratio_policy"});
  if (!known) return known;
  for (const char* name : {"exclude_outside", "antialias"}) {
    const auto value = integer_or(call, name, 0);
    if (!value) return value.error();
    if (*value != 0) return not_interpreted(fmt::format("attribute {}", name));
  }
  if (value_or(call, "keep_aspect_ratio_policy", "stretch") != AttrValue{std::string("stretch")})
    return not_interpreted("attribute keep_aspect_ratio_policy");
  return Done{};
}

// Of the list that is given: all of them, or attribute axes.
Result<Ints> axes_of(const OnnxCall& call, std::size_t rank) {
  constexpr int kNamesAxesSince = 18;
  Ints axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  const AttrValue* given = call.attrs.find("axes");
  if (given == nullptr || *given == AttrValue{Ints{}}) return axes;
  if (call.opset < kNamesAxesSince) return not_interpreted("axes before operator set 18");
  const auto* list = std::get_if<Ints>(given);
  if (list == nullptr) return Error{"Resize: attribute axes has the wrong type"};
  if (auto distinct = normal_axes("Resize", *list, rank); !distinct)
    return std::move(distinct).error();
  axes.clear();
  for (const Dim axis : *list) axes.push_back(*normal_axis("Resize", axis, rank));
  return axes;
}

Imported resize_from_onnx(const OnnxCall& call) {
  if (auto known = only_known_attributes(call); !known) return std::move(known).error();
  const auto from = operand_shape(call, 0);
  if (!from) return from.error();
  const auto axes = axes_of(call, from->rank());
  if (!axes) return axes.error();
  if (is_given(call, 2) == is_given(call, 3))
    return Error{"Resize: exactly one of scales and sizes must be given"};
  const auto given =
      is_given(call, 2) ? scaled(call, *axes, from->all()) : constant_operand(call, 3, "sizes");
  if (!given) return given.error();
  if (given->size() != axes->size())
    return Error{fmt::format("Resize: {} sizes for {} axes", given->size(), axes->size())};
  Ints sizes = from->all();
  for (std::size_t i = 0; i < axes->size(); ++i)
    sizes[static_cast<std::size_t>((*axes)[i])] = (*given)[i];
  const char* coordinates = "coordinate_transformation_mode";
  Attrs attrs{{"mode", value_or(call, "mode", "nearest")},
              {coordinates, value_or(call, coordinates, "half_pixel")},
              {"sizes", std::move(sizes)}};
  if (*attrs.find("mode") == AttrValue{std::string("nearest")})
    attrs.set("nearest_mode", value_or(call, "nearest_mode", "round_prefer_floor"));
  return one_result(resize(), std::move(attrs), {std::size_t{0}});
}

// Neither a region nor scales: empty tensors, which operator set 11 demands.
Result<OnnxEmitted> resize_to_onnx(const Op& op, std::span<const Shape>, int) {
  Attrs attrs = op.attrs;
  attrs.erase("sizes");
  return OnnxEmitted{"Resize",
                     std::move(attrs),
                     {std::size_t{0}, Filled{{0}, 0}, Filled{{0}, 0}, op.ints("sizes")}};
}

// A piece has other coordinates.
std::optional<Op> resize_without_padding(const Op&, Padding) { return std::nullopt; }

}  // namespace

const OpDef& resize() {
  static const OpDef def{
      .name = "Resize",
      .summary = "other extents, by the nearest element or by weighted neighbours",
      .arity = {1, 1},
      .attrs = {{"mode", std::string("nearest")},
                {"coordinate_transformation_mode", std::string("half_pixel")},
                {"nearest_mode", std::string("round_prefer_floor")},
                {"sizes", Ints{}, AttrRole::Geometry, true}},
      .since = 11,
      .lower = lower_resize,
      .reads_by_formula = true,
      .from_onnx = resize_from_onnx,
      .to_onnx = resize_to_onnx,
      .without_padding = resize_without_padding};
  return def;
}

}  // namespace pet::ops
