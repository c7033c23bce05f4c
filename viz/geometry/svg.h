// A scene as SVG. Text is text, and names cannot become markup.
#pragma once

#include <string>

#include "viz/geometry/scene.h"
#include "viz/geometry/theme.h"

namespace pet::viz {

std::string to_svg(const Scene& scene, const Theme& theme);

}  // namespace pet::viz
