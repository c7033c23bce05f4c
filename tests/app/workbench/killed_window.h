// A program of its own that is there to be killed: a window that searches, and tells how far it is.
#pragma once

#include <string>

namespace pet::app {

inline constexpr const char* kKilledWindow = "--killed-window";

// Opens a model in `folder` and lets a search of it run, with a journal beside it. Prints a line
// whenever something changed: how many lines the journal has to have, and the page. Never ends by
// itself.
int run_until_killed(const std::string& folder);

}  // namespace pet::app
