// What was opened, as the window keeps it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/stored_profile.h"
#include "core/onnx/model.h"
#include "core/program/inspector.h"
#include "core/program/move.h"
#include "core/program/split.h"

namespace pet::viz {

// A pair of programs.
struct OpenedPair {
  std::string name;
  std::vector<InspectedOutput> outputs;
  std::string original_text, mutant_text;
  std::shared_ptr<const Graph> original, mutant;
  std::vector<Move> moves = {};  // that made the mutant of the original; none: not known
  Region repaired = {};          // of its only output: what was wrong before it was corrected
  // Where the open model computes the original; nothing: nowhere.
  std::shared_ptr<const SubprogramClass> places = {};
};

// A model, and how it is cut up.
struct OpenedModel {
  std::shared_ptr<const Model> model;
  std::vector<std::optional<std::size_t>> linear_sets;  // by node
  Split subprograms;
};

// What the window shows; nothing where nothing of the kind is open.
struct Opened {
  std::shared_ptr<const OpenedModel> model;
  std::shared_ptr<const OpenedPair> pair;
  std::shared_ptr<const StoredProfile> profile = {};  // by itself
};

}  // namespace pet::viz
