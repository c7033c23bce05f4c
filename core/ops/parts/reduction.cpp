#include "core/ops/parts/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/ops/parts/rearranged.h"

namespace pet::ops {

Reduction reduction_over(const Shape& shape, const Ints& axes, Reduced reduced) {
  const auto is_reduced = [&](std::size_t i) {
    return std::find(axes.begin(), axes.end(), static_cast<Dim>(i)) != axes.end();
  };
  Reduction out;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (is_reduced(i)) out.extent.push_back(shape[i]);
    if (!is_reduced(i) || reduced == Reduced::KeptAsOne)
      out.out.push_back(is_reduced(i) ? 1 : shape[i]);
  }
  std::size_t next_out = 0;
  std::size_t next_reduced = out.out.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    out.read.index.push_back(v(is_reduced(i) ? next_reduced++ : next_out));
    if (!is_reduced(i) || reduced == Reduced::KeptAsOne) ++next_out;
  }
  return out;
}

Result<Meaning> sum_over(std::string_view who, const Shape& shape, const Ints& axes,
                         Average average, Reduced reduced) {
  Reduction over = reduction_over(shape, axes, reduced);
  Term term{.coef = {}, .reduce = std::move(over.extent), .guards = {}, .factors = {over.read}};
  if (average == Average::Yes) {
    const Dim number = count(term.reduce);
    if (number == 0)
      return Error{fmt::format("{}: the mean of no element", who), ErrorKind::Unsupported};
    term.coef.scale = ratio(1, number);
  }
  return Meaning{{}, {std::move(over.out), {std::move(term)}}};
}

Meaning function_over(const ElementFunction& function, Reduction reduction) {
  Window window{.extent = std::move(reduction.extent),
                .guards = {},
                .read = std::move(reduction.read),
                .symmetry = Symmetry::Multiset};
  IndexedSum sum = read_in_place(1, reduction.out);
  return {{{&function, {}, std::move(reduction.out), {}, std::move(window)}}, std::move(sum)};
}

Meaning extreme_over(const ElementFunction& function, Reduction reduction) {
  if (count(reduction.extent) != 1) return function_over(function, std::move(reduction));
  std::vector<IndexExpr> only = identity_index(reduction.out);
  only.resize(only.size() + reduction.extent.size(), IndexExpr(0));
  for (IndexExpr& index : reduction.read.index) index = index.substitute(only);
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {std::move(reduction.read)}};
  return {{}, {std::move(reduction.out), {std::move(term)}}};
}

std::vector<AttrDef> reduction_attrs() {
  return {{"axes", Ints{}, AttrRole::Geometry, true}, {"keepdims", std::int64_t{1}}};
}

Result<Reduction> reduction_of_some(const Op& op, const Shape& shape) {
  const auto axes = normal_axes(op.def->name, op.ints("axes"), shape.size());
  if (!axes) return axes.error();
  const auto reduced = op.integer("keepdims") != 0 ? Reduced::KeptAsOne : Reduced::Dropped;
  Reduction out = reduction_over(shape, *axes, reduced);
  if (count(out.extent) == 0)
    return Error{fmt::format("{}: of no element", op.def->name), ErrorKind::Unsupported};
  return out;
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

Imported reduction_from_onnx(const OpDef& def, const OnnxCall& call, int since, OfNoAxis of_none) {
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
  if (axes.empty() && *noop && of_none == OfNoAxis::ReadInTwoWays)
    return Error{fmt::format("{}: of no axis it is read in two ways", def.name),
                 ErrorKind::Unsupported};
  auto normal = normal_axes(def.name, std::move(axes), shape->rank());
  if (!normal) return std::move(normal).error();
  Attrs attrs{{"axes", *std::move(normal)}, {"keepdims", std::int64_t{*keep ? 1 : 0}}};
  return one_result(def, std::move(attrs), {std::size_t{0}});
}

Result<OnnxEmitted> reduction_to_onnx(const Op& op, std::span<const Shape> in, int opset, int since,
                                      OfNoAxis of_none) {
  if (!op.ints("axes").empty() || of_none == OfNoAxis::Itself)
    return emit_with_axes(op, opset, since);
  if (!in[0].empty())
    return not_in_opset(op, "axes", opset, "what no axis is reduced of is read in two ways");
  OnnxEmitted out{op.def->name, op.attrs, {std::size_t{0}}};  // all of the axes of a number
  out.attrs.erase("axes");
  return out;
}

}  // namespace pet::ops
