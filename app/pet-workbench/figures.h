// Figures of the paper (Wang et al., OSDI 2021), as sessions of the examples.
#pragma once

#include <vector>

#include "viz/views/ports.h"

namespace pet::app {

std::vector<viz::FigureChoice> figures();

}  // namespace pet::app
