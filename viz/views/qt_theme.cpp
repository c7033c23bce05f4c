#include "viz/views/qt_theme.h"

namespace pet::viz {

QPalette palette_of(const Theme& theme) {
  QPalette out;
  const auto set = [&](std::initializer_list<QPalette::ColorRole> roles, Role role) {
    for (const auto one : roles) out.setColor(one, to_qt(theme[role]));
  };
  set({QPalette::Window, QPalette::AlternateBase, QPalette::Button}, Role::Surface);
  set({QPalette::Base, QPalette::ToolTipBase, QPalette::HighlightedText}, Role::Background);
  set({QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText},
      Role::Text);
  set({QPalette::PlaceholderText}, Role::Faint);
  set({QPalette::Highlight, QPalette::Link}, Role::Selected);
  set({QPalette::Mid, QPalette::Dark}, Role::Frame);
  out.setColor(QPalette::Disabled, QPalette::Text, to_qt(theme[Role::Faint]));
  out.setColor(QPalette::Disabled, QPalette::ButtonText, to_qt(theme[Role::Faint]));
  out.setColor(QPalette::Disabled, QPalette::WindowText, to_qt(theme[Role::Faint]));
  return out;
}

}  // namespace pet::viz
