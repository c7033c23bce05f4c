#include "core/program/correct/recompute.h"

#include "core/program/correct/boxes.h"
#include "core/program/subprogram.h"
#include "core/program/views.h"

namespace pet {

Result<Graph> recompute(const Graph& original, const Graph& mutant, const Region& wrong) {
  GraphBuilder b;
  std::vector<NodeId> inputs;
  for (const NodeId id : original.inputs())
    inputs.push_back(b.add_input(original.node(id).input()->name, original.node(id).type));
  std::vector<NodeId> mutant_inputs;
  for (const NodeId id : mutant.inputs())
    mutant_inputs.push_back(b.add_input(mutant.node(id).input()->name, mutant.node(id).type));
  auto main = append(b, mutant, mutant_inputs, std::vector<std::string>(mutant.outputs().size()));
  if (!main) return std::move(main).error();
  const Shape shape = *b.type((*main)[0]).shape;
  auto x = views::reshape(b, (*main)[0], wrong.basis.flat());
  if (!x) return std::move(x).error();
  const auto boxes = regular_boxes(wrong);
  if (!boxes) return boxes.error();
  PieceBuilder pieces(b, original, inputs);
  for (const Box& box : *boxes) {
    auto patch = pieces.piece(original.outputs()[0], positions(wrong.basis, box));
    if (!patch) return std::move(patch).error();
    x = paste(b, *x, box, *patch);
    if (!x) return std::move(x).error();
  }
  auto result = views::reshape(b, *x, shape);
  if (!result) return std::move(result).error();
  b.add_output(*result);
  return std::move(b).build();
}

}  // namespace pet
