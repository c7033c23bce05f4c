// One program at other sizes.
#pragma once

#include <functional>
#include <span>

#include "verify/reduce/size_edits.h"

namespace pet {
class GraphBuilder;
}

namespace pet::reduce {

// Attributes that hold sizes are no others by name: of an operator that is none at its new operands
// as it stands, some integers are tried in their place, and what is a program in the end counts.
class Resizing {
 public:
  Resizing(const Graph& program, const SizeChange& change) : program_(program), change_(change) {}

  using Accepts = std::function<bool(const Graph& program)>;
  // The first that is accepted.
  Result<Graph> find(const Accepts& accepts) const;

 private:
  struct Attempt;

  Result<Attempt> attempt(const std::vector<std::size_t>& choices) const;
  Result<NodeId> leaf(const Node& node, GraphBuilder& builder) const;
  std::vector<NodeId> ways(NodeId id, const std::vector<NodeId>& operands,
                           GraphBuilder& builder) const;

  const Graph& program_;
  const SizeChange& change_;
};

// Ways to write an operator's attributes down, the likelier ones first. `before`, `now`: the shapes
// of its operands; `result`: that of its result before.
std::vector<Attrs> rescaled(const Op& op, const std::vector<Shape>& before,
                            const std::vector<Shape>& now, const Shape& result,
                            const SizeChange& change);

// The extents of a reshape of `from` to `to`, when the operand is `now`: axes that lie side by side
// in both fall into groups of equally many elements, and each group changes by itself. Where
// several extents of a group could, one from the front and one from the back.
std::vector<Shape> reshaped(const Shape& from, const Shape& now, const Shape& to);

}  // namespace pet::reduce
