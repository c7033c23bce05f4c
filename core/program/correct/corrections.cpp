#include "core/program/correct/corrections.h"

#include "core/program/correct/boxes.h"
#include "core/program/correct/fused.h"
#include "core/program/correct/recompute.h"

namespace pet {

std::string_view to_string(CorrectionRole role) {
  switch (role) {
    case CorrectionRole::Mutant:
      return "the mutant's";
    case CorrectionRole::Shared:
      return "shared";
    case CorrectionRole::Recomputed:
      return "recomputed";
    case CorrectionRole::Gathered:
      return "gathered";
    case CorrectionRole::Pasted:
      return "pasted";
  }
  return "?";
}

std::vector<Correction> corrections(const Graph& original, const Graph& mutant,
                                    const Region& wrong) {
  std::vector<Correction> out;
  const auto boxes = regular_boxes(wrong);
  const auto add = [&](CorrectionWay way, auto repair) {
    CorrectionRoles roles;
    auto program = repair(original, mutant, wrong, &roles);
    out.push_back({way,
                   std::move(program),
                   roles.by_node(),
                   {wrong.basis, boxes ? *boxes : std::vector<Box>()}});
  };
  add(CorrectionWay::Recomputing, recompute);
  add(CorrectionWay::InBatch, fuse_correction);
  return out;
}

}  // namespace pet
