#include "viz/geometry/waterfall_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viz/geometry/bars.h"
#include "viz/geometry/ruler.h"

namespace pet::viz {
namespace {

constexpr double kLabels = 260, kNumbers = 150, kRow = 24, kBar = 16, kMargin = 8;

std::string number_of(const FallingBar& bar) {
  if (bar.kind == FallingBar::Kind::Whole) return ms_in_words(bar.to_ms);
  const double change = bar.to_ms - bar.from_ms;
  return fmt::format("{}{}", change <= 0 ? "−" : "+", ms_in_words(std::abs(change)));
}

void fill(Scene& out, const FallingBar& bar, const Rect& at) {
  const auto add_lines = [&](const std::vector<Segment>& lines) {
    for (const Segment& line : lines) out.items.push_back({line, {}, {}});
  };
  const bool costs = bar.kind != FallingBar::Kind::Whole && bar.to_ms > bar.from_ms;
  if (bar.kind == FallingBar::Kind::Whole)
    out.items.push_back({Area{at, Role::Faint}, {}, {}});
  else if (bar.kind == FallingBar::Kind::Rest)
    add_lines(dots(at, Role::Unknown));
  else if (costs)
    add_lines(hatch(at, Role::Wrong));
  else
    out.items.push_back({Area{at, Role::Equal}, {}, {}});
  out.items.push_back({Outline{at, Role::Frame, 1}, {}, {}});
}

}  // namespace

Scene waterfall_scene(const std::vector<FallingBar>& bars, double width,
                      const std::string& selected) {
  Scene out;
  if (bars.empty()) return out;
  double most = 0;
  for (const FallingBar& bar : bars) most = std::max({most, bar.from_ms, bar.to_ms});
  const double room = std::max(80.0, width - kLabels - kNumbers - 2 * kMargin);
  const auto x_of = [&](double ms) { return kLabels + (most > 0 ? room * ms / most : 0); };
  double y = kMargin;
  double last_x = 0;
  for (const FallingBar& bar : bars) {
    const double left = x_of(std::min(bar.from_ms, bar.to_ms));
    const Rect at{left, y, std::max(1.0, x_of(std::max(bar.from_ms, bar.to_ms)) - left), kBar};
    out.items.push_back({Area{{0, y - 4, width, kRow}, Role::Background}, bar.id, bar.tooltip});
    if (!bar.id.empty() && bar.id == selected)
      out.items.push_back({Outline{{1, y - 3, width - 2, kRow - 2}, Role::Selected, 2}, {}, {}});
    out.items.push_back(
        {Label{{kMargin, y + 12}, fitting(bar.label, kLabels - 2 * kMargin, 6.6)}, {}, {}});
    fill(out, bar, at);
    out.items.push_back(
        {Label{{at.right() + 6, y + 12}, number_of(bar), Align::Left, Role::Text, 11}, {}, {}});
    // From where the bar above ended.
    if (y > kMargin)
      out.items.push_back({Segment{{last_x, y - kRow + kBar}, {last_x, y}, Role::Frame}, {}, {}});
    last_x = x_of(bar.to_ms);
    y += kRow;
  }
  out.width = width;
  out.height = y + kMargin;
  return out;
}

}  // namespace pet::viz
