// A search that is driven step by step: stop calling step() and it pauses; what it has found so far
// is always there.
#pragma once

#include "core/onnx/export.h"
#include "core/search/events.h"

namespace pet {

enum class Grain { Mutant, Candidate, Subprogram };
enum class StepStatus { Running, Finished };

// A mutant that was found faster in its place.
struct Choice {
  std::size_t subprogram = 0;
  std::string how;
  bool corrected = false;
  double saved_ms = 0;  // median, in its window
  Ratio ratio;
  Replacement replacement;
};

class Search {
 public:
  virtual ~Search() = default;
  virtual StepStatus step(Grain grain) = 0;
  // The best choices so far; together they can be made in one file. Largest saving first.
  virtual std::vector<Choice> best() const = 0;
};

}  // namespace pet
