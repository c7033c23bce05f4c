// A piece of a program's value computed apart: a regular sub-grid of positions, from the pieces of
// the operands that it reads. Padding becomes explicit, so that the operator runs unchanged on the
// smaller operands.
#pragma once

#include <vector>

#include "core/ir/builder.h"

namespace pet {

// Along one axis: positions low, low + step, …, `count` of them.
struct Progression {
  Dim low = 0;
  Dim count = 0;
  Dim step = 1;

  bool operator==(const Progression&) const = default;
};

// No GraphCopy: a node may be needed at several pieces, each of which is computed by itself. It
// goes as deep as a subprogram of the search.
class PieceBuilder {
 public:
  // `inputs`: what stands in `builder` for the inputs of `program`.
  PieceBuilder(GraphBuilder& builder, const Graph& program, std::vector<NodeId> inputs)
      : builder_(builder), program_(program), inputs_(std::move(inputs)) {}

  Result<NodeId> piece(NodeId value, const std::vector<Progression>& where);

 private:
  Result<NodeId> leaf(NodeId value, const std::vector<Progression>& where);
  Result<NodeId> operand_piece(NodeId node, const Meaning& meaning, std::size_t operand,
                               const std::vector<Progression>& where, bool& padded);

  GraphBuilder& builder_;
  const Graph& program_;
  std::vector<NodeId> inputs_;
};

}  // namespace pet
