// Slice: every step-th element from `starts` up to before `ends`, along some axes; backwards where
// a step is negative.
//
// Our attributes are literal: a start is a position, and an end of -1 lies before the first
// element. The forms that ONNX also allows (counted from the end, beyond the tensor, whole axes)
// are resolved when a file is read.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/rearranged.h"

namespace pet::ops {
namespace {

// Number of elements from start up to before end.
Dim steps_between(Dim start, Dim end, Dim step) {
  const Dim span = step > 0 ? end - start : start - end;
  const Dim stride = step > 0 ? step : -step;
  return span <= 0 ? 0 : (span - 1) / stride + 1;
}

Result<Meaning> lower_slice(const Op& op, std::span<const Shape> in) {
  const Ints& axes = op.ints("axes");
  const Ints& starts = op.ints("starts");
  const Ints& ends = op.ints("ends");
  const Ints steps = op.ints("steps").empty() ? Ints(axes.size(), 1) : op.ints("steps");
  if (starts.size() != axes.size() || ends.size() != axes.size() || steps.size() != axes.size()) {
    return Error{"Slice: axes, starts, ends and steps must have as many entries"};
  }
  if (auto distinct = normal_axes("Slice", axes, in[0].size()); !distinct)
    return std::move(distinct).error();
  Shape out = in[0];
  auto index = identity_index(in[0]);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto a = static_cast<std::size_t>(*normal_axis("Slice", axes[i], in[0].size()));
    const Dim extent = in[0][a];
    if (steps[i] == 0 || steps[i] > kMaxElements || steps[i] < -kMaxElements || starts[i] < 0 ||
        starts[i] > extent || ends[i] < -1 || ends[i] > extent ||
        (steps[i] < 0 && starts[i] == extent)) {
      return Error{fmt::format("Slice: nothing from {} to {} by {} along axis {} of {}", starts[i],
                               ends[i], steps[i], a, to_string(in[0]))};
    }
    out[a] = steps_between(starts[i], ends[i], steps[i]);
    index[a] = v(a) * steps[i] + starts[i];
  }
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {{0, std::move(index)}}};
  return Meaning{{}, {std::move(out), {std::move(term)}}};
}

// How many elements larger steps leave is no affine function of the extent.
bool slice_affine_in_sizes(const Op& op) {
  const Ints& steps = op.ints("steps");
  return std::all_of(steps.begin(), steps.end(), [](Dim step) { return step == 1 || step == -1; });
}

struct Range {
  Dim start = 0;
  Dim end = 0;
  Dim step = 1;
};

// As numpy does it: counted from the end where negative, then cut to the tensor. Ranges with the
// same elements become the same range.
Range literal_range(Dim start, Dim end, Dim step, Dim extent) {
  const auto from_front = [&](Dim at, Dim low, Dim high) {
    return std::clamp(at < 0 ? std::max(at, -kMaxElements - 1) + extent : at, low, high);
  };
  step = std::clamp(step, -kMaxElements, kMaxElements);
  start =
      step > 0 ? from_front(start, 0, extent) : from_front(start, 0, std::max<Dim>(extent - 1, 0));
  end = step > 0 ? from_front(end, 0, extent) : from_front(end, -1, std::max<Dim>(extent - 1, 0));
  const Dim n = extent == 0 ? 0 : steps_between(start, end, step);
  if (n == 0) return {0, 0, 1};
  if (n == 1) return {start, start + 1, 1};
  return {start, start + (n - 1) * step + (step > 0 ? 1 : -1), step};
}

constexpr int kListsAreOperandsSince = 10;

// What is asked of each axis, as the file says it.
struct Asked {
  Ints starts, ends, axes, steps;
};

Ints first_axes(std::size_t number) {
  Ints out(number);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

Result<Ints> list_attribute(const OnnxCall& call, std::string_view name) {
  const AttrValue* value = call.attrs.find(name);
  const auto* list = value == nullptr ? nullptr : std::get_if<Ints>(value);
  if (list == nullptr) return Error{fmt::format("Slice: attribute {} is no list", name)};
  return *list;
}

// Before operator set 10; without steps.
Result<Asked> asked_by_attributes(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"starts", "ends", "axes"}); !known)
    return std::move(known).error();
  if (call.operands.size() != 1) return Error{"Slice: more than one operand"};
  auto starts = list_attribute(call, "starts");
  if (!starts) return starts.error();
  auto ends = list_attribute(call, "ends");
  if (!ends) return ends.error();
  Result<Ints> axes =
      call.attrs.has("axes") ? list_attribute(call, "axes") : first_axes(starts->size());
  if (!axes) return axes.error();
  if (ends->size() != starts->size() || axes->size() != starts->size())
    return Error{"Slice: starts, ends and axes of different lengths"};
  Ints steps(starts->size(), 1);
  return Asked{*std::move(starts), *std::move(ends), *std::move(axes), std::move(steps)};
}

Result<Ints> list_operand(const OnnxCall& call, std::size_t operand, std::string_view what,
                          Ints standard) {
  if (operand >= 3 && !call.has(operand)) return standard;
  auto list = constant_operand(call, operand, what, Integers::Of32Or64Bits);
  if (list && call.operands[operand].dtype != call.operands[1].dtype)
    return Error{"Slice: starts, ends, axes and steps of different types", ErrorKind::Unsupported};
  if (list && list->size() != standard.size())
    return Error{fmt::format("Slice: {} has {} entries", what, list->size())};
  return list;
}

// Backwards to "the largest integer": the standard's own evaluator reads nothing, ONNX Runtime
// everything.
bool is_ambiguous(Dim end, Dim step) {
  return step < 0 && (end == std::numeric_limits<std::int32_t>::max() ||
                      end == std::numeric_limits<Dim>::max());
}

Result<Asked> asked_by_operands(const OnnxCall& call) {
  if (auto known = only_attributes(call, {}); !known) return std::move(known).error();
  auto starts = constant_operand(call, 1, "starts", Integers::Of32Or64Bits);
  if (!starts) return starts.error();
  auto ends = list_operand(call, 2, "ends", *starts);
  if (!ends) return ends.error();
  auto axes = list_operand(call, 3, "axes", first_axes(starts->size()));
  if (!axes) return axes.error();
  auto steps = list_operand(call, 4, "steps", Ints(starts->size(), 1));
  if (!steps) return steps.error();
  return Asked{*std::move(starts), *std::move(ends), *std::move(axes), *std::move(steps)};
}

Imported slice_from_onnx(const OnnxCall& call) {
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  if (shape->rank() == 0)
    return Error{"Slice: of a scalar, which runtimes refuse", ErrorKind::Unsupported};
  const auto asked =
      call.opset < kListsAreOperandsSince ? asked_by_attributes(call) : asked_by_operands(call);
  if (!asked) return asked.error();
  if (auto distinct = normal_axes("Slice", asked->axes, shape->rank()); !distinct)
    return std::move(distinct).error();

  std::vector<std::pair<Dim, Range>> ranges;
  for (std::size_t i = 0; i < asked->axes.size(); ++i) {
    const Dim axis = *normal_axis("Slice", asked->axes[i], shape->rank());
    const Dim extent = (*shape)[static_cast<std::size_t>(axis)];
    if (asked->steps[i] == 0) return Error{"Slice: a step of 0"};
    if (is_ambiguous(asked->ends[i], asked->steps[i])) {
      return Error{"Slice: backwards up to the largest integer is read in two ways",
                   ErrorKind::Unsupported};
    }
    const Range range = literal_range(asked->starts[i], asked->ends[i], asked->steps[i], extent);
    const bool whole = range.start == 0 && range.end == extent && range.step == 1;
    if (!whole) ranges.emplace_back(axis, range);
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::array<Ints, 4> lists;
  for (const auto& [axis, range] : ranges) {
    lists[0].push_back(axis);
    lists[1].push_back(range.start);
    lists[2].push_back(range.end);
    lists[3].push_back(range.step);
  }
  return one_result(
      slice(),
      Attrs{{"axes", lists[0]}, {"starts", lists[1]}, {"ends", lists[2]}, {"steps", lists[3]}},
      {std::size_t{0}});
}

Result<OnnxEmitted> slice_to_onnx(const Op& op, std::span<const Shape>, int opset) {
  if (op.ints("axes").empty()) return OnnxEmitted{"Identity", {}, {std::size_t{0}}};
  if (opset < kListsAreOperandsSince) {
    if (std::ranges::any_of(op.ints("steps"), [](Dim step) { return step != 1; }))
      return not_in_opset(op, "steps", opset, "slices have no steps before 10");
    Attrs attrs = op.attrs;
    attrs.erase("steps");
    return OnnxEmitted{"Slice", std::move(attrs), {std::size_t{0}}};
  }
  Ints ends = op.ints("ends");
  for (Dim& end : ends) {
    if (end < 0) end = std::numeric_limits<Dim>::min() + 1;  // -1 would mean the last element
  }
  const Ints steps = op.ints("steps").empty() ? Ints(ends.size(), 1) : op.ints("steps");
  return OnnxEmitted{
      "Slice", {}, {std::size_t{0}, op.ints("starts"), std::move(ends), op.ints("axes"), steps}};
}

std::optional<Op> rearranged_slice(const Op& op, std::span<const std::size_t> order) {
  Op out = op;
  out.attrs.set("axes", new_places(op.ints("axes"), order));
  return out;
}

}  // namespace

const OpDef& slice() {
  static const OpDef def{.name = "Slice",
                         .summary = "every so-many-th element of a range, along some axes",
                         .arity = {1, 1},
                         .attrs = {{"axes", Ints{}, AttrRole::Geometry, true},
                                   {"starts", Ints{}, AttrRole::Geometry, true},
                                   {"ends", Ints{}, AttrRole::Geometry, true},
                                   {"steps", Ints{}}},
                         .lower = lower_slice,
                         .affine_in_sizes = slice_affine_in_sizes,
                         .from_onnx = slice_from_onnx,
                         .to_onnx = slice_to_onnx,
                         .rearranged = rearranged_slice};
  return def;
}

}  // namespace pet::ops
