// Opens files for the window: models are read and cut up, pairs of programs inspected and said as
// text.
#pragma once

#include <filesystem>

#include "app/pet-workbench/profiling.h"
#include "viz/views/main_window.h"

namespace pet::app {

viz::WindowPorts ports(const MoreTargets& more = {});

// A pair of programs, inspected. An Error where they cannot be compared.
Result<viz::OpenedPair> opened_pair(const Graph& original, const Graph& mutant, std::string name,
                                    const std::stop_token& stop);

}  // namespace pet::app
