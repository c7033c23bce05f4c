// Text from files where Qt would take it for markup.
#pragma once

#include <QString>

namespace pet::viz {

// A tooltip that says just this, line by line.
inline QString as_tooltip(const QString& text) {
  return "<p style='white-space:pre-wrap'>" + text.toHtmlEscaped() + "</p>";
}

}  // namespace pet::viz
