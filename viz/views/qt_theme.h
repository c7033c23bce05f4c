// Colours of the theme for Qt.
#pragma once

#include <QColor>
#include <QPalette>

#include "viz/geometry/theme.h"

namespace pet::viz {

inline QColor to_qt(Colour c) { return QColor(c.red, c.green, c.blue); }
QPalette palette_of(const Theme& theme);

}  // namespace pet::viz
