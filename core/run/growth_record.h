// How an e-graph grew, and the tree above it, as events tell it: what a window draws of a search in
// e-graphs. From the events of a journal alone; those of a replay (core/run/replay.h) tell visits
// and values of the tree's nodes besides.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/search/events.h"

namespace pet {

struct RoundRecord {
  std::size_t classes = 0, nodes = 0, bytes = 0;  // at its end
  std::size_t made = 0;                           // nodes, by all its rules
  std::size_t merged = 0;                         // pairs of classes
  double best_ms = 0;
};

struct TreeNodeRecord {
  std::optional<std::size_t> parent;  // none: a root
  std::string rule;                   // that led here
  double cost_ms = 0;
  bool is_saturated = false;
  std::size_t visits = 0;
  double value = 0;
  // Of UCB1, among its parent's children; none where it was never visited.
  std::optional<double> ucb;
};

struct GrowthRecord {
  std::size_t classes = 0, nodes = 0;  // of the original
  std::vector<RoundRecord> rounds;
  std::vector<TreeNodeRecord> tree;  // by number; the first is the original
  std::vector<ActionChosen> actions;
  std::vector<Extracted> extracted;
  std::string end;  // why it grew no more
};

// One for each e-graph that was begun: of each block, and anew where a rule was refused.
std::vector<GrowthRecord> growth_of(std::span<const Event> events, double exploration);

}  // namespace pet
