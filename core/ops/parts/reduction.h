// What ReduceSum and ReduceMean share, and GlobalAveragePool: a sum over some axes.
#pragma once

#include "core/ir/op.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {

enum class Average { No, Yes };
enum class Reduced { Dropped, KeptAsOne };

// REQUIRES: axes are distinct axes of `shape`. An average over no element is refused.
Result<Meaning> sum_over(std::string_view who, const Shape& shape, const Ints& axes,
                         Average average, Reduced reduced);

// The attributes axes and keepdims, shared by the two operators.
std::vector<AttrDef> reduction_attrs();
Result<Meaning> lower_reduction(const Op& op, const Shape& shape, Average average);
// Where the reduced axes stay, as axes of one: else the result has another rank.
std::optional<Op> rearranged_reduction(const Op& op, std::span<const std::size_t> order);

// Of products that sum over no element: what runtimes leave there is not always 0 (addends are
// lost, or it is what the memory held).
Error sums_over_nothing(std::string_view who);

// Axes are an operand from operator set `since` on.
Imported reduction_from_onnx(const OpDef& def, const OnnxCall& call, int since);

}  // namespace pet::ops
