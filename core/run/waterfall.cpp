#include "core/run/waterfall.h"

#include <algorithm>

namespace pet {

double Alike::saved_ms() const {
  double out = 0;
  for (const PlaceRecord* place : places) out += place->saved_ms;
  return out;
}

std::vector<Alike> alike(const std::vector<PlaceRecord>& places) {
  std::vector<Alike> out;
  for (const PlaceRecord& place : places) {
    const auto at = std::ranges::find_if(out, [&](const Alike& group) {
      const PlaceRecord& first = *group.places.front();
      return first.subprogram == place.subprogram && first.mutant == place.mutant;
    });
    if (at != out.end()) {
      at->places.push_back(&place);
    } else {
      out.push_back({{&place}});
    }
  }
  std::ranges::stable_sort(
      out, [](const Alike& a, const Alike& b) { return a.saved_ms() > b.saved_ms(); });
  return out;
}

Waterfall waterfall_of(const RunRecord& record) {
  using What = Waterfall::Bar::What;
  Waterfall out;
  if (!record.original_times || !record.optimized_times || record.original_times->median_ms <= 0)
    return out;
  const double optimized = record.optimized_times->median_ms;
  double left = record.original_times->median_ms;
  out.bars.push_back({What::Original, 0, left});
  const auto groups = alike(record.places);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const double saved = groups[i].saved_ms();
    out.bars.push_back({What::Places, left, left - saved, i});
    left -= saved;
  }
  out.bars.push_back({What::Together, left, optimized});
  out.bars.push_back({What::Optimized, 0, optimized});
  return out;
}

}  // namespace pet
