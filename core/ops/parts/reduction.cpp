#include "core/ops/parts/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/ops/parts/rearranged.h"

namespace pet::ops {

Result<Meaning> sum_over(std::string_view who, const Shape& shape, const Ints& axes,
                         Average average, Reduced reduced) {
  const auto is_reduced = [&](std::size_t i) {
    return std::find(axes.begin(), axes.end(), static_cast<Dim>(i)) != axes.end();
  };
  Shape out;
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {}};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (is_reduced(i)) term.reduce.push_back(shape[i]);
    if (!is_reduced(i) || reduced == Reduced::KeptAsOne)
      out.push_back(is_reduced(i) ? 1 : shape[i]);
  }
  std::size_t next_out = 0;
  std::size_t next_reduced = out.size();
  Access read{0, {}};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    read.index.push_back(v(is_reduced(i) ? next_reduced++ : next_out));
    if (!is_reduced(i) || reduced == Reduced::KeptAsOne) ++next_out;
  }
  if (average == Average::Yes) {
    const Dim number = count(term.reduce);
    if (number == 0)
      return Error{fmt::format("{}: the mean of no element", who), ErrorKind::Unsupported};
    term.coef.scale = ratio(1, number);
  }
  term.factors = {std::move(read)};
  return Meaning{{}, {std::move(out), {std::move(term)}}};
}

std::vector<AttrDef> reduction_attrs() {
  return {{"axes", Ints{}, AttrRole::Geometry, true}, {"keepdims", std::int64_t{1}}};
}

Result<Meaning> lower_reduction(const Op& op, const Shape& shape, Average average) {
  const auto axes = normal_axes(op.def->name, op.ints("axes"), shape.size());
  if (!axes) return axes.error();
  const auto reduced = op.integer("keepdims") != 0 ? Reduced::KeptAsOne : Reduced::Dropped;
  return sum_over(op.def->name, shape, *axes, average, reduced);
}

std::optional<Op> rearranged_reduction(const Op& op, std::span<const std::size_t> order) {
  if (op.integer("keepdims") == 0) return std::nullopt;
  Op out = op;
  out.attrs.set("axes", new_places(op.ints("axes"), order));
  return out;
}

Error sums_over_nothing(std::string_view who) {
  return {fmt::format("{}: a sum over no element is not interpreted", who), ErrorKind::Unsupported};
}

Imported reduction_from_onnx(const OpDef& def, const OnnxCall& call, int since) {
  if (auto known = only_attributes(call, {"axes", "keepdims", "noop_with_empty_axes"}); !known) {
    return std::move(known).error();
  }
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  const auto keep = flag_or(call, "keepdims", true);
  if (!keep) return keep.error();
  const auto noop = flag_or(call, "noop_with_empty_axes", false);
  if (!noop) return noop.error();
  if (*noop && call.opset < since) {
    return Error{fmt::format("{}: noop_with_empty_axes before operator set {}", def.name, since),
                 ErrorKind::Unsupported};
  }
  const auto given = list_by_opset(call, "axes", 1, since);
  if (!given) return given.error();
  Ints axes = given->value_or(Ints{});
  // ONNX Runtime reduces nothing there.
  if (shape->is_empty() && std::ranges::any_of(axes, [](Dim axis) { return axis < 0; }))
    return Error{fmt::format("{}: a negative axis of nothing is read in two ways", def.name),
                 ErrorKind::Unsupported};
  if (axes.empty() && !*noop) {
    axes.resize(shape->rank());
    std::iota(axes.begin(), axes.end(), 0);
  }
  auto normal = normal_axes(def.name, std::move(axes), shape->rank());
  if (!normal) return std::move(normal).error();
  Attrs attrs{{"axes", *std::move(normal)}, {"keepdims", std::int64_t{*keep ? 1 : 0}}};
  return one_result(def, std::move(attrs), {std::size_t{0}});
}

}  // namespace pet::ops
