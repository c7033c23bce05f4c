#include "core/ops/parts/spelling.h"

namespace pet::ops {

// After an error nothing counts any more: any node will do.
NodeId Spelling::add(const OpDef& def, std::vector<NodeId> operands, Attrs attrs) {
  if (error_) return operands.front();
  const NodeId first = operands.front();
  auto id = graph_.add(def, std::move(attrs), std::move(operands));
  if (id) return *id;
  error_ = std::move(id).error();
  return first;
}

Result<NodeId> Spelling::finish(NodeId result) const {
  if (error_) return *error_;
  return result;
}

}  // namespace pet::ops
