// What a person asks of a search, and how far it is to go at a time.
#pragma once

#include <filesystem>
#include <string>

#include "core/search/search_config.h"
#include "viz/session/search_thread.h"

namespace pet::viz {

inline constexpr const char* kEstimates = "estimates";  // a target: nothing is measured

struct RunRequest {
  std::string target = kEstimates;
  int threads = 1;  // of the runtime
  double budget_s = 120;
  SearchConfig search;
  std::filesystem::path journal;  // empty: none is kept
};

// Where a search stops on its way.
enum class Until { Node, Mutant, Partial, Candidate, Subprogram };

// Whether that entry is such a place: in a recorded search it is looked for.
bool is_reached(Until until, const LogEntry& entry);
Goal goal_for(Until until);

}  // namespace pet::viz
