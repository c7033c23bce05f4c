// What operators that join the elements along some axes share.
#pragma once

#include "core/ir/op.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {

enum class Average { No, Yes };
enum class Reduced { Dropped, KeptAsOne };

// Where an element of the result finds the elements that it is made of.
struct Reduction {
  Shape out;
  Shape extent;  // of the axes that are reduced, which are numbered after the result's
  Access read;   // of operand 0
};

// REQUIRES: axes are distinct axes of `shape`
Reduction reduction_over(const Shape& shape, const Ints& axes, Reduced reduced);
// By the attributes axes and keepdims. Unsupported where there is no element to be joined.
Result<Reduction> reduction_of_some(const Op& op, const Shape& shape);

// An average over no element is refused. REQUIRES: as above
Result<Meaning> sum_over(std::string_view who, const Shape& shape, const Ints& axes,
                         Average average, Reduced reduced);
// One function of all the elements, in any order.
Meaning function_over(const ElementFunction& function, Reduction reduction);
// The largest or smallest one: of a single element that element itself.
Meaning extreme_over(const ElementFunction& function, Reduction reduction);

// The attributes axes and keepdims.
std::vector<AttrDef> reduction_attrs();
Result<Meaning> lower_reduction(const Op& op, const Shape& shape, Average average);
// Where the reduced axes stay, as axes of one: else the result has another rank.
std::optional<Op> rearranged_reduction(const Op& op, std::span<const std::size_t> order);

// Of products that sum over no element: what runtimes leave there is not always 0 (addends are
// lost, or it is what the memory held).
Error sums_over_nothing(std::string_view who);

// What is left where no axis is reduced (noop_with_empty_axes): ONNX's texts say the operand
// itself, of each operator; where the function of a single element is something else, that is read
// in two ways.
enum class OfNoAxis { Itself, ReadInTwoWays };

// Axes are an operand from operator set `since` on.
Imported reduction_from_onnx(const OpDef& def, const OnnxCall& call, int since, OfNoAxis of_none);
Result<OnnxEmitted> reduction_to_onnx(const Op& op, std::span<const Shape> in, int opset, int since,
                                      OfNoAxis of_none);

// The operator kDef().
template <const OpDef& (*kDef)(), int kSince, OfNoAxis kOfNone>
OpDef reduction_def(std::string name, std::string summary,
                    Result<Meaning> (*lower)(const Op&, std::span<const Shape>)) {
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .arity = {1, 1},
      .attrs = reduction_attrs(),
      .lower = lower,
      .from_onnx =
          [](const OnnxCall& call) { return reduction_from_onnx(kDef(), call, kSince, kOfNone); },
      .to_onnx = [](const Op& op, std::span<const Shape> in,
                    int opset) { return reduction_to_onnx(op, in, opset, kSince, kOfNone); },
      .rearranged = rearranged_reduction};
}

// Since then the axes of most of them are an operand.
inline constexpr int kReducedAxesAreAnOperandSince = 18;

}  // namespace pet::ops
