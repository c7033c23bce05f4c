// A pass: one step that tidies up a program in which choices were made, before what is new in it is
// written. Each is a file of this folder and a line of all_passes.def. Nothing rests on a pass
// being right: what the written file computes is proved afterwards.
#pragma once

#include <optional>
#include <string_view>

#include "core/ir/provenance.h"
#include "core/program/constant_folder.h"

namespace pet {

// When a pass runs.
enum class PassStage {
  Whole,   // on the whole program, before what is new in it is looked for
  NewPart  // on each connected part that is new, by itself: what stays in the file stays as it is
};

// What the passes of one run share.
struct PassTools {
  ConstantFolder& folder;
};

struct Pass {
  std::string_view name;  // what it does, in words
  PassStage stage;
  Result<Rewritten> (*run)(const Graph& program, PassTools& tools);
};

// That a pass changed a program: which nodes of `before` became which of `after`.
struct AppliedPass {
  std::string_view pass;
  std::optional<std::size_t> part;  // the number of the new part; nothing: the whole program
  Graph before;
  Graph after;
  Provenance became;
};

}  // namespace pet
