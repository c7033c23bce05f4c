#include <fmt/format.h>

#include <algorithm>

#include "app/explain/html.h"
#include "app/explain/words.h"

namespace pet::explain {
namespace {

constexpr double kNames = 330;
constexpr double kBars = 510;
constexpr double kValues = 120;
constexpr double kRow = 26;

const char* class_of(Waterfall::Kind kind) {
  switch (kind) {
    case Waterfall::Kind::Total:
      return "total";
    case Waterfall::Kind::Saving:
      return "saving";
    case Waterfall::Kind::Loss:
      return "loss";
  }
  return "";
}

}  // namespace

std::string drawn(const Waterfall& fall) {
  double largest = 0;
  for (const auto& bar : fall.bars) largest = std::max({largest, bar.from_ms, bar.to_ms});
  if (largest <= 0) return {};
  const double height = kRow * static_cast<double>(fall.bars.size());
  std::string out = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Time from original to optimized\">\n",
      kNames + kBars + kValues, height);
  const auto x_of = [&](double ms) { return kNames + kBars * std::clamp(ms / largest, 0.0, 1.0); };
  double y = 0;
  for (const auto& bar : fall.bars) {
    const bool is_total = bar.kind == Waterfall::Kind::Total;
    const double low = x_of(std::min(bar.from_ms, bar.to_ms));
    const double width = std::max(1.0, x_of(std::max(bar.from_ms, bar.to_ms)) - low);
    const std::string value =
        is_total ? milliseconds(bar.to_ms) : fmt::format("{:+.3f} ms", bar.to_ms - bar.from_ms);
    out += fmt::format(
        "<text class=\"name\" x=\"0\" y=\"{:.1f}\">{}</text>"
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" rx=\"2\"/>"
        "<text class=\"ms\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
        y + 17, escaped(shown(bar.label, 46)), class_of(bar.kind), low, y + 4, width, kRow - 8,
        kNames + kBars + kValues, y + 17, value);
    y += kRow;
    const double end = x_of(bar.to_ms);
    if (&bar != &fall.bars.back())
      out += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>\n",
                         end, y - 4, y + 4);
  }
  return out + "</svg>\n";
}

}  // namespace pet::explain
