#include <fmt/format.h>

#include <algorithm>

#include "app/explain/html.h"
#include "app/explain/words.h"
#include "core/util/markup.h"

namespace pet::explain {
namespace {

const char* class_of(BarChart::Kind kind) {
  switch (kind) {
    case BarChart::Kind::Total:
      return "total";
    case BarChart::Kind::Saving:
      return "saving";
    case BarChart::Kind::Loss:
      return "loss";
  }
  return "";
}

}  // namespace

std::string drawn(const BarChart& fall) {
  double largest = 0;
  for (const auto& bar : fall.bars) largest = std::max({largest, bar.from_ms, bar.to_ms});
  if (largest <= 0) return {};
  const auto percent = [&](double ms) { return 100 * std::clamp(ms / largest, 0.0, 1.0); };
  std::string out;
  for (const auto& bar : fall.bars) {
    const bool is_total = bar.kind == BarChart::Kind::Total;
    const double low = percent(std::min(bar.from_ms, bar.to_ms));
    const double high = percent(std::max(bar.from_ms, bar.to_ms));
    const std::string value =
        is_total ? milliseconds(bar.to_ms) : fmt::format("{:+.3f} ms", bar.to_ms - bar.from_ms);
    out += fmt::format(
        "<div class=\"bar\"><span class=\"name\">{}</span><span class=\"ms\">{}</span>"
        "<span class=\"track\"><span class=\"{}\" style=\"left:{:.2f}%;width:{:.2f}%\"></span>"
        "</span></div>\n",
        escaped(shown(bar.label, 120)), value, class_of(bar.kind), std::min(low, 99.7),
        std::max(0.3, high - low));
  }
  return out;
}

}  // namespace pet::explain
