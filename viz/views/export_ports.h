// What the Export page asks of whoever made the window.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>

#include "core/search/events.h"
#include "core/search/search.h"
#include "viz/session/exported.h"
#include "viz/views/opened.h"

namespace pet::viz {

struct ExportPorts {
  // The open pair's mutant in its places of the open model, proved. Called in the thread of a job;
  // `events` hears of its stages there. REQUIRES: both are open, and the pair knows its places
  std::function<Result<ExportedFile>(const Opened&, const std::filesystem::path& target,
                                     const EventSink& events, const std::stop_token&)>
      this_one;
  // What tidies up that program before it is written. REQUIRES: the same
  std::function<Result<std::vector<AppliedPass>>(const Opened&, const std::stop_token&)> passes =
      nullptr;
  // The same of what a search has found. REQUIRES: its model is open
  std::function<Result<std::vector<AppliedPass>>(const Opened&, const Plan&,
                                                 const std::stop_token&)>
      passes_of_plan = nullptr;
};

}  // namespace pet::viz
