// Every pass, and how those of one stage are applied.
#pragma once

#include <vector>

#include "core/program/passes/pass.h"

namespace pet {

namespace passes {
#define PASS(name) const Pass& name();
#include "core/program/passes/all_passes.def"
#undef PASS
}  // namespace passes

const std::vector<const Pass*>& all_passes();  // in order

struct Tidied {
  Graph program;
  std::vector<AppliedPass> applied;  // the passes that changed something, in order
};

// `program` after every pass of the stage. `part`: its number, where it is a new part.
Result<Tidied> apply_passes(PassStage stage, Graph program, std::optional<std::size_t> part,
                            PassTools& tools);

}  // namespace pet
