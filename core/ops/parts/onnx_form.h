// Reading a node as it stands in a file: what most operators need for that, with the errors worded
// once. What contradicts itself is Malformed; a form that we do not interpret is Unsupported.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "core/ir/op.h"

namespace pet::ops {

using Imported = Result<std::vector<OnnxImported>>;

// One operator of ours on these operands.
Imported one_result(const OpDef& def, Attrs attrs, std::vector<OnnxSource> operands);

// Unsupported if the node has an attribute besides these: a later operator set may give it a
// meaning.
Status only_attributes(const OnnxCall& call, std::initializer_list<std::string_view> names);

Result<std::int64_t> integer_or(const OnnxCall& call, std::string_view name, std::int64_t standard);
// 1 or 0. Unsupported where it is another number, which runtimes read in different ways.
Result<bool> flag_or(const OnnxCall& call, std::string_view name, bool standard);
// Of an operand that must be there. Whoever needs no more than its rank, or an extent of it, takes
// that (WatchedShape): less follows from sizes then.
Result<WatchedShape> operand_shape(const OnnxCall& call, std::size_t operand);
// A list of integers; of 64 bits, where an operator has no others.
enum class Integers { Of64Bits, Of32Or64Bits };
Result<Ints> constant_operand(const OnnxCall& call, std::size_t operand, std::string_view what,
                              Integers integers = Integers::Of64Bits);

// A single integer of 32 or 64 bits, alone or as a list of one.
Result<std::int64_t> constant_number(const OnnxCall& call, std::size_t operand,
                                     std::string_view what);

// Axes (or another list) that became operand `operand` with operator set `since` and were attribute
// `name` before. nullopt: absent.
Result<std::optional<Ints>> list_by_opset(const OnnxCall& call, std::string_view name,
                                          std::size_t operand, int since);

// `op` on operand 0 with its attribute axes written the way that operator set wants it. Without
// axes: Identity, for ONNX takes none to mean all of them.
OnnxEmitted emit_with_axes(const Op& op, int opset, int since);

// Counted from the end where negative. REQUIRES: rank < 2^31
Result<Dim> normal_axis(std::string_view who, Dim axis, std::size_t rank);
Result<Ints> normal_axes(std::string_view who, Ints axes, std::size_t rank);  // sorted; none twice

}  // namespace pet::ops
