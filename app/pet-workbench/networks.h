// Builds networks for the window.
#pragma once

#include "viz/views/ports.h"

namespace pet::app {

viz::NetworkPorts networks();

}  // namespace pet::app
