// Colours of the theme for Qt.
#pragma once

#include <QColor>

#include "viz/geometry/theme.h"

namespace pet::viz {

inline QColor to_qt(Colour c) { return QColor(c.red, c.green, c.blue); }

}  // namespace pet::viz
