// A search that is driven step by step: stop calling step() and it pauses; what it has found so far
// is always there.
#pragma once

#include "core/program/subprogram.h"
#include "core/search/events.h"

namespace pet {

// How far one step goes: one node of the generator's tree, one mutant looked at, one candidate
// measured, one subprogram. Nothing between two steps takes long but for a measurement.
enum class Grain { Node, Mutant, Candidate, Subprogram };
enum class StepStatus { Running, Finished };

// A mutant in its place.
struct Choice {
  std::size_t subprogram = 0;  // as the search numbers them
  std::string place;           // the first value that it computes
  std::string how;
  std::vector<std::string> moves;  // the same, move by move
  bool corrected = false;
  double saved_ms = 0;  // median, in its window
  Ratio ratio;
  Graph program;  // from `inputs` of the model's graph to `outputs`
  std::vector<NodeId> inputs, outputs;
};

// Choices that are made together in one file.
struct Plan {
  std::vector<Choice> choices;
  double saved_ms = 0;  // as the search estimates it, transposes between the choices paid for
};

class Search {
 public:
  virtual ~Search() = default;
  virtual StepStatus step(Grain grain) = 0;
  // The plans worth trying, the most promising first. Empty: nothing faster was found.
  virtual std::vector<Plan> best() const = 0;
};

}  // namespace pet
