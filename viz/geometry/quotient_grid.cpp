#include "viz/geometry/quotient_grid.h"

#include <algorithm>
#include <numeric>

namespace pet::viz {
namespace {

double cells_of(const Span& span) {
  return std::accumulate(span.begin(), span.end(), 1.0,
                         [](double product, const Interval& numbers) {
                           return product * static_cast<double>(numbers.extent());
                         });
}

// Between all places at which something begins or ends.
std::vector<Interval> intervals_between(std::vector<Dim> ends) {
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<Interval> out;
  for (std::size_t i = 1; i < ends.size(); ++i) out.push_back({ends[i - 1], ends[i]});
  return out;
}

}  // namespace

QuotientGrid::QuotientGrid(DigitBasis basis, std::vector<StatedBox> boxes)
    : basis_(std::move(basis)), boxes_(std::move(boxes)) {
  std::erase_if(boxes_, [](const StatedBox& stated) { return stated.box.volume() == 0; });
  const Shape extents = basis_.flat();
  for (std::size_t digit = 0; digit < extents.size(); ++digit) {
    std::vector<Dim> ends = {0, extents[digit]};
    for (const StatedBox& stated : boxes_)
      ends.insert(ends.end(), {stated.box.low[digit], stated.box.high[digit]});
    intervals_.push_back(intervals_between(std::move(ends)));
  }
}

Span QuotientGrid::span_of(const Box& box) const {
  Span out;
  for (std::size_t digit = 0; digit < digits(); ++digit) {
    const auto number_of = [&](Dim low) {
      const auto at = std::ranges::lower_bound(intervals_[digit], low, {}, &Interval::low);
      return static_cast<Dim>(at - intervals_[digit].begin());
    };
    out.push_back({number_of(box.low[digit]), number_of(box.high[digit])});
  }
  return out;
}

double QuotientGrid::cells() const {
  return std::accumulate(intervals_.begin(), intervals_.end(), 1.0,
                         [](double product, const auto& intervals) {
                           return product * static_cast<double>(intervals.size());
                         });
}

double QuotientGrid::cells_in(State state) const {
  double stated = 0, all = 0;
  for (const StatedBox& box : boxes_) {
    const double here = cells_of(span_of(box.box));
    all += here;
    if (box.state == state) stated += here;
  }
  return state == State::Equal ? stated + cells() - all : stated;
}

Dim QuotientGrid::elements() const { return count(basis_.flat()); }

Dim QuotientGrid::elements_in(State state) const {
  Dim stated = 0, all = 0;
  for (const StatedBox& box : boxes_) {
    all += box.box.volume();
    if (box.state == state) stated += box.box.volume();
  }
  return state == State::Equal ? stated + elements() - all : stated;
}

double QuotientGrid::share(State state) const {
  const Dim all = elements();
  return all == 0 ? 0 : static_cast<double>(elements_in(state)) / static_cast<double>(all);
}

}  // namespace pet::viz
