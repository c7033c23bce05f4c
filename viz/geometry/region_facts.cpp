#include "viz/geometry/region_facts.h"

#include <fmt/format.h>

#include "core/util/plural.h"

namespace pet::viz {
namespace {

std::string percent(double share) {
  if (share > 0 && share < 0.00005) return "less than 0.01 %";
  return fmt::format("{:.2f} %", 100 * share);
}

}  // namespace

std::string headline(const QuotientGrid& grid, std::size_t wrong_boxes,
                     const std::string& in_words) {
  const double share = grid.share(State::Wrong) + grid.share(State::Unknown);
  if (wrong_boxes == 0) {
    const double repaired = grid.share(State::Corrected);
    if (repaired == 0) return "equal everywhere";
    return fmt::format("equal everywhere; {} of the output, wrong before, is repaired",
                       percent(repaired));
  }
  std::string out = fmt::format("{}, {} of the output",
                                grouped(static_cast<Dim>(wrong_boxes), "box"), percent(share));
  return in_words.empty() ? out : out + ": " + in_words;
}

std::string counts_in_words(const QuotientGrid& grid) {
  const Dim unknown = grid.elements_in(State::Unknown);
  std::string out =
      fmt::format("{:.0f} of {:.0f} {} wrong, {} of {}", grid.cells_in(State::Wrong), grid.cells(),
                  inflected("cell", grid.cells() == 1), grouped(grid.elements_in(State::Wrong)),
                  grouped(grid.elements(), "element"));
  if (unknown > 0) out += fmt::format("; {} not known", grouped(unknown));
  const Dim repaired = grid.elements_in(State::Corrected);
  if (repaired > 0) out += fmt::format("; {} repaired", grouped(repaired));
  return out;
}

}  // namespace pet::viz
