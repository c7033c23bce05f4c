#include "viz/geometry/slices.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pet::viz {
namespace {

bool is_of(const Plane& plane, std::size_t digit) {
  return plane.rows == digit || plane.columns == digit;
}

// How a plane looks: where it is in which state. Which box it is does not show.
using Look = std::vector<std::tuple<Dim, Dim, Dim, Dim, State, std::size_t>>;

Look look_of(const std::vector<Patch>& patches, const QuotientGrid& grid) {
  Look out;
  for (const Patch& p : patches)
    out.emplace_back(p.rows.low, p.rows.high, p.columns.low, p.columns.high, p.state,
                     grid.boxes()[p.box].look);
  std::ranges::sort(out);
  return out;
}

class Slicer {
 public:
  Slicer(const QuotientGrid& grid, const Plane& plane, std::size_t most, Drawn drawn)
      : grid_(grid), plane_(plane), most_(most), drawn_(drawn) {}

  Slices run() {
    Slices out{plane_, {}, number_of_slices(), true};
    for (std::size_t box = 0; box < grid_.boxes().size(); ++box) {
      const bool is_drawn = drawn_ == Drawn::All || grid_.boxes()[box].state != State::Equal;
      if (is_drawn && !add(box)) out.is_complete = false;
    }
    std::map<Look, Slice> by_look;
    Dim told = 0;
    for (auto& [at, patches] : patches_) {
      const Dim number = multiplicity(at);
      told += number;
      Slice& slice = by_look[look_of(patches, grid_)];
      if (slice.multiplicity == 0) slice = {at, patches, 0, 0};
      slice.multiplicity += number;
      slice.wrong += number * area(patches);
    }
    if (told < out.number) by_look[{}] = {first_equal(), {}, out.number - told, 0};
    for (auto& [look, slice] : by_look) out.distinct.push_back(std::move(slice));
    std::ranges::stable_sort(out.distinct, [](const Slice& a, const Slice& b) {
      return std::tuple(-a.wrong, a.at) < std::tuple(-b.wrong, b.at);
    });
    return out;
  }

 private:
  Dim number_of_slices() const {
    Dim out = 1;
    const Shape extents = grid_.basis().flat();
    for (std::size_t digit = 0; digit < grid_.digits(); ++digit)
      if (!is_of(plane_, digit)) out *= extents[digit];
    return out;
  }

  // Puts the box into every combination of intervals that it reaches into; false: too many.
  bool add(std::size_t box) {
    const Span span = grid_.span_of(grid_.boxes()[box].box);
    const auto along = [&](std::optional<std::size_t> digit) {
      return digit ? span[*digit] : Interval{0, 1};
    };
    const Patch patch{along(plane_.rows), along(plane_.columns), grid_.boxes()[box].state, box};
    std::vector<std::size_t> at(grid_.digits(), 0);
    for (std::size_t digit = 0; digit < at.size(); ++digit)
      if (!is_of(plane_, digit)) at[digit] = static_cast<std::size_t>(span[digit].low);
    do {
      if (patches_.size() == most_ && !patches_.contains(at)) return false;
      patches_[at].push_back(patch);
    } while (advance(at, span));
    return true;
  }

  // The next combination inside of the span; false after the last one.
  bool advance(std::vector<std::size_t>& at, const Span& span) const {
    for (std::size_t digit = at.size(); digit-- > 0;) {
      if (is_of(plane_, digit)) continue;
      if (static_cast<Dim>(++at[digit]) < span[digit].high) return true;
      at[digit] = static_cast<std::size_t>(span[digit].low);
    }
    return false;
  }

  Dim multiplicity(const std::vector<std::size_t>& at) const {
    Dim out = 1;
    for (std::size_t digit = 0; digit < at.size(); ++digit)
      if (!is_of(plane_, digit)) out *= grid_.intervals(digit)[at[digit]].extent();
    return out;
  }

  Dim extent(std::optional<std::size_t> digit, const Interval& numbers) const {
    if (!digit) return 1;
    const auto& all = grid_.intervals(*digit);
    return all[static_cast<std::size_t>(numbers.high) - 1].high -
           all[static_cast<std::size_t>(numbers.low)].low;
  }

  Dim area(const std::vector<Patch>& patches) const {
    Dim out = 0;
    for (const Patch& p : patches)
      out += extent(plane_.rows, p.rows) * extent(plane_.columns, p.columns);
    return out;
  }

  // The first combination in which nothing is wrong. REQUIRES: there is one
  std::vector<std::size_t> first_equal() const {
    Span all;
    for (std::size_t digit = 0; digit < grid_.digits(); ++digit)
      all.push_back({0, static_cast<Dim>(grid_.intervals(digit).size())});
    std::vector<std::size_t> at(grid_.digits(), 0);
    while (patches_.contains(at) && advance(at, all)) {
    }
    return at;
  }

  const QuotientGrid& grid_;
  const Plane plane_;
  const std::size_t most_;
  const Drawn drawn_;
  std::map<std::vector<std::size_t>, std::vector<Patch>> patches_;  // by combination of intervals
};

}  // namespace

Plane usual_plane(const QuotientGrid& grid) {
  std::vector<std::size_t> chosen;
  for (const bool wants_cuts : {true, false}) {
    for (std::size_t digit = grid.digits(); digit-- > 0 && chosen.size() < 2;) {
      const bool is_cut = grid.intervals(digit).size() > 1;
      if (is_cut == wants_cuts) chosen.push_back(digit);
    }
  }
  std::ranges::sort(chosen);
  if (chosen.empty()) return {};
  if (chosen.size() == 1) return {std::nullopt, chosen[0]};
  return {chosen[0], chosen[1]};
}

Slices slices_of(const QuotientGrid& grid, const Plane& plane, std::size_t most, Drawn drawn) {
  return Slicer(grid, plane, most, drawn).run();
}

}  // namespace pet::viz
