// How definitions spell an operator out by simpler ones. Whatever one of these refuses makes the
// whole an Error.
#pragma once

#include <string_view>
#include <vector>

#include "core/ir/builder.h"

namespace pet::ops {

class Spelling {
 public:
  explicit Spelling(GraphBuilder& graph) : graph_(graph) {}

  NodeId number(float value) { return graph_.add_scalar(value); }
  NodeId add(const OpDef& def, std::vector<NodeId> operands, Attrs attrs = {});
  Result<NodeId> finish(NodeId result) const;
  std::size_t rank(NodeId id) const { return graph_.type(id).shape->size(); }

 private:
  GraphBuilder& graph_;
  std::optional<Error> error_;
};

}  // namespace pet::ops
