#include "core/program/correct/recompute.h"

#include "core/program/correct/boxes.h"
#include "core/program/subprogram.h"
#include "core/program/views.h"

namespace pet {

Result<Graph> recompute(const Graph& original, const Graph& mutant, const Region& wrong,
                        CorrectionRoles* roles) {
  CorrectionRoles unasked;
  CorrectionRoles& marked = roles == nullptr ? unasked : *roles;
  GraphBuilder b;
  const auto inputs = copy_inputs(b, original);
  auto main =
      append(b, mutant, copy_inputs(b, mutant), std::vector<std::string>(mutant.outputs().size()));
  if (!main) return std::move(main).error();
  marked.mark(b, {CorrectionRole::Mutant, {}});
  const Shape shape = *b.type((*main)[0]).shape;
  auto x = views::reshape(b, (*main)[0], wrong.basis.flat());
  if (!x) return std::move(x).error();
  const auto boxes = regular_boxes(wrong);
  if (!boxes) return boxes.error();
  marked.mark(b, {CorrectionRole::Pasted, {}});
  PieceBuilder pieces(b, original, inputs);
  for (std::size_t i = 0; i < boxes->size(); ++i) {
    const Box& box = (*boxes)[i];
    auto patch = pieces.piece(original.outputs()[0], positions(wrong.basis, box));
    if (!patch) return std::move(patch).error();
    marked.mark(b, {CorrectionRole::Recomputed, i});
    x = paste(b, *x, box, *patch);
    if (!x) return std::move(x).error();
    marked.mark(b, {CorrectionRole::Pasted, i});
  }
  auto result = views::reshape(b, *x, shape);
  if (!result) return std::move(result).error();
  marked.mark(b, {CorrectionRole::Pasted, {}});
  b.add_output(*result);
  return std::move(b).build();
}

}  // namespace pet
