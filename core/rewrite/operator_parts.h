// What the families of rule operators share, and where each of them lists its own. Included by the
// operators' files only.
#pragma once

#include "core/rewrite/operators.h"

namespace pet::rules {

using Ints = std::vector<std::int64_t>;
using Values = Result<std::vector<Value>>;
using Nodes = Result<std::vector<NodeId>>;

// Of whatever may apply a function to its results.
inline constexpr RuleAttribute kActivation{"activation", RuleAttribute::Holds::Text};

Error means_nothing(const RuleOp& op, const std::string& what);

// An operator's only result.
Values one(Value value);
Nodes one(Result<NodeId> node);

// With the function that the attribute `activation` names.
Result<NodeId> activated(const Building& at, const RuleOp& op, Result<NodeId> node);

Shape known_shape(const Value& value, const std::vector<Dim>& values);

std::span<const RuleOperator> window_operators();
std::span<const RuleOperator> weight_operators();

}  // namespace pet::rules
