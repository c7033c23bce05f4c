// A box of digits, and what can be said of an affine function of them for the whole of it.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "core/ir/index_expr.h"

namespace pet::theorem {

// Half-open: low <= x < high.
struct Range {
  Dim low = 0;
  Dim high = 1;

  Dim extent() const { return high - low; }
  auto operator<=>(const Range&) const = default;
};

// What has to be known more narrowly before anything can be said: a split point of a digit, from
// which on it is another one; or a digit that falls into two, the inner one of that extent.
struct Need {
  enum class How { Split, Refine };
  std::size_t digit = 0;
  How how = How::Split;
  Dim value = 0;
};
using Decided = std::variant<bool, Need>;

// constant, then one step a digit: what a coordinate is while the digits of the output move.
using Row = std::span<const Dim>;

class DigitBox {
 public:
  // `extents`: of the digits, of which the box is a part. Without digits: a single position.
  DigitBox() = default;
  DigitBox(std::vector<Range> ranges, Shape extents)
      : ranges_(std::move(ranges)), extents_(std::move(extents)) {}

  const std::vector<Range>& ranges() const { return ranges_; }
  std::size_t width() const { return 1 + ranges_.size(); }  // of a row

  // Smallest and largest value.
  std::pair<Dim, Dim> bounds(Row row) const;
  // Whether it is at least that, everywhere or nowhere.
  Decided reaches(Row row, Dim threshold) const;
  Decided lies_between(Row row, Dim low, Dim high) const;  // low <= row < high
  // Adds the expression to `out`. `axes`: one row an axis.
  std::optional<Need> add(const IndexExpr& e, std::span<const Dim> axes, std::span<Dim> out) const;
  Decided is_multiple(Row row, Dim of) const;

 private:
  Need split(Row row, Dim threshold) const;
  // floor(row / divisor) times `divisor` in `whole`, what is left in `rest`; both of them affine.
  std::optional<Need> divide(Row row, Dim divisor, std::vector<Dim>& quotient,
                             std::vector<Dim>& rest) const;
  std::optional<Need> part(const IndexExpr::Part& part, std::span<const Dim> axes,
                           std::vector<Dim>& out) const;

  std::vector<Range> ranges_;
  Shape extents_;
};

}  // namespace pet::theorem
