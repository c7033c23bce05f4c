#include "core/search/candidate_timer.h"

#include <utility>

#include "core/backend/replay_profiler.h"
#include "core/backend/scratch_folder.h"
#include "core/ir/builder.h"
#include "core/onnx/export.h"
#include "core/ops/ops.h"
#include "core/program/passes/arrange.h"
#include "core/program/substitute.h"
#include "core/search/excerpt.h"

namespace pet {

// In excerpts of neighbours that run in any order of axes where the candidate keeps its own: what
// the others want is weighed when choices are made.
CandidateTimer::Timed CandidateTimer::time_candidate(const Subprogram& place,
                                                     const Candidate& candidate,
                                                     std::stop_token stop) const {
  const auto excerpt = keeps_orders(candidate) ? excerpt_of(model_.graph, place, reach_)
                                               : movable_excerpt(model_.graph, place, reach_);
  const Substitute substitute{&candidate.program, excerpt.inputs, excerpt.outputs};
  auto changed = with_replaced(excerpt.original, std::span(&substitute, 1));
  if (!changed) return {{}, std::move(changed).error()};
  auto arranged = arrange(*changed, Borders::Free);
  if (!arranged) return {{}, std::move(arranged).error()};
  return compare(excerpt.original, arranged->graph, std::move(stop));
}

std::optional<CandidateTimer::Timed> CandidateTimer::time_layout(const Subprogram& place,
                                                                 std::stop_token stop) const {
  const auto excerpts = layout_excerpts(model_.graph, place, reach_);
  if (!excerpts) return std::nullopt;
  return compare(excerpts->row_major, excerpts->own_layout, std::move(stop));
}

CandidateTimer::Timed CandidateTimer::time_transpose(const Planner::Border& border,
                                                     std::stop_token stop) const {
  const auto program = [&](bool transposed) {
    GraphBuilder b;
    NodeId x = *b.add(ops::relu(), {}, {b.add_input("in0", float_tensor(border.shape))});
    const Ints perm(border.order.begin(), border.order.end());
    if (transposed) x = *b.add(ops::transpose(), Attrs{{"perm", perm}}, {x});
    b.add_output(x);
    return std::move(b).build();
  };
  return compare(program(false), program(true), std::move(stop));
}

CandidateTimer::Timed CandidateTimer::compare(const Graph& before, const Graph& after,
                                              std::stop_token stop) const {
  const auto folder = ScratchFolder::make("pet-excerpt");
  if (!folder) return {{}, folder.error()};
  const auto original = folder->path() / "original.onnx";
  const auto candidate = folder->path() / "candidate.onnx";
  for (const auto& [graph, path] : {std::pair{&before, original}, std::pair{&after, candidate}}) {
    if (auto status = write_program(*graph, model_.opset(), path); !status)
      return {{}, std::move(status).error()};
  }
  auto files = compared_files(original, candidate);
  if (!files) return {{}, std::move(files).error()};
  return {*std::move(files), profiler_.compare(original, candidate, std::move(stop))};
}

}  // namespace pet
