#include "viz/session/repair.h"

#include <algorithm>

namespace pet::viz {
namespace {

RepairWay way_of(Correction made) {
  RepairWay out;
  out.way = made.way;
  if (!made.program) {
    out.closed = made.program.error().message;
    return out;
  }
  out.program = std::make_shared<const Graph>(*std::move(made.program));
  out.roles = std::move(made.roles);
  out.repairs = std::move(made.repairs);
  out.ms = analytic_ms(work_of(*out.program), {});
  for (const NodeId id : out.program->ids()) {
    const Work work = work_of(*out.program, id);
    if (work.operators == 0) continue;
    const CorrectionRole role = out.roles[id.index()].role;
    auto part = std::ranges::find(out.parts, role, &RepairPart::role);
    if (part == out.parts.end()) part = out.parts.insert(part, {role, {}});
    part->work += work;
  }
  std::ranges::sort(out.parts, {}, &RepairPart::role);
  return out;
}

}  // namespace

Repair repair_of(const Graph& original, const Graph& mutant, const Region& wrong) {
  Repair out;
  out.original_ms = analytic_ms(work_of(original), {});
  out.mutant_ms = analytic_ms(work_of(mutant), {});
  if (mutant.outputs().size() != 1) {
    out.reason = "programs of several outputs are not corrected";
  } else if (wrong.empty()) {
    out.reason = "nothing is wrong, so there is nothing to correct";
  } else if (wrong.volume() == pet::count(*original.node(original.outputs()[0]).type.shape)) {
    out.reason = "it is wrong everywhere: correcting it would compute the original";
  }
  if (!out.reason.empty()) return out;
  for (Correction& made : corrections(original, mutant, wrong))
    out.ways.push_back(way_of(std::move(made)));
  return out;
}

}  // namespace pet::viz
