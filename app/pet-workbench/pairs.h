// Opens pairs of programs for the window: reads, inspects, and says them as text.
#pragma once

#include <filesystem>

#include "viz/views/main_window.h"

namespace pet::app {

viz::WindowPorts ports();

}  // namespace pet::app
