// Searches for the window: runs with all that they need, mutants made again, journals read.
#pragma once

#include "viz/views/ports.h"

namespace pet::app {

viz::SearchingPorts searching();

// A model that was read, as the window takes it.
viz::OpenedModel opened_model(Model model);

}  // namespace pet::app
