// The operators. Each is defined in a file of its own name; the list is all_ops.def.
#pragma once

#include <span>
#include <string_view>

#include "core/ir/op.h"

namespace pet::ops {

#define OP(name) const OpDef& name();
#include "core/ops/all_ops.def"
#undef OP

// Every operator, in the order of all_ops.def.
std::span<const OpDef* const> all();

// The operator of that (ONNX) name, or null.
const OpDef* find(std::string_view name);

}  // namespace pet::ops
