// Times candidates among their neighbours, and transposes between them: two ONNX files for a
// profiler.
#pragma once

#include <optional>
#include <stop_token>

#include "core/backend/profiler.h"
#include "core/onnx/model.h"
#include "core/search/heap.h"
#include "core/search/planner.h"

namespace pet {

class CandidateTimer {
 public:
  // `reach`: neighbours that an excerpt takes in. REQUIRES: model and profiler outlive this
  CandidateTimer(const Model& model, Profiler& profiler, std::size_t reach)
      : model_(model), profiler_(profiler), reach_(reach) {}

  struct Timed {
    ComparedFiles files;  // empty: it did not get as far as two files
    Result<Comparison> answer;
  };

  // The excerpt of a subprogram against the same excerpt with the candidate in its place.
  Timed time_candidate(const Subprogram& place, const Candidate& candidate,
                       std::stop_token stop) const;
  // What a runtime saves around a subprogram by layouts of its own (LayoutExcerpts): the excerpts
  // of row-major values against the others. nullopt: nothing, none of its neighbours has such a
  // layout.
  std::optional<Timed> time_layout(const Subprogram& place, std::stop_token stop) const;
  // A pointwise operator against the same with a transpose behind it.
  Timed time_transpose(const Planner::Border& border, std::stop_token stop) const;

 private:
  Timed compare(const Graph& before, const Graph& after, std::stop_token stop) const;

  const Model& model_;
  Profiler& profiler_;
  std::size_t reach_;
};

}  // namespace pet
