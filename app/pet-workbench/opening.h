// Opens files for the window: models are read and cut up, pairs of programs inspected and said as
// text.
#pragma once

#include <filesystem>

#include "viz/views/main_window.h"

namespace pet::app {

viz::WindowPorts ports();

}  // namespace pet::app
