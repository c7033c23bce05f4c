#include "viz/geometry/region_scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/util/plural.h"
#include "viz/geometry/ruler.h"
#include "viz/geometry/state_pattern.h"
#include "viz/words/axis_names.h"

namespace pet::viz {
namespace {

constexpr double kMargin = 16;
constexpr double kGap = 28;         // between multiples
constexpr double kTitle = 20;       // height of a line of text
constexpr double kRuler = 22;       // beside a plane, for the labels of its intervals
constexpr double kTruePlane = 320;  // the longer side of a true one
constexpr double kWidest = 7.6;     // a character of a title, at most

class Drawing {
 public:
  Drawing(const QuotientGrid& grid, const Slices& slices, const RegionDrawing& how)
      : grid_(grid), slices_(slices), how_(how) {
    const Dim longest = std::max(extent(slices.plane.rows), extent(slices.plane.columns));
    per_element_ = kTruePlane / static_cast<double>(std::max<Dim>(longest, 1));
    rows_ = line(slices.plane.rows, how.lowest);
    columns_ = line(slices.plane.columns, how.narrowest);
  }

  Scene run() {
    multiples();
    if (how_.has_rulers) rulers();
    scene_.width = std::max(how_.width, right_ + kMargin);
    scene_.height = y_ + kMargin;
    return std::move(scene_);
  }

 private:
  Dim extent(std::optional<std::size_t> digit) const {
    return digit ? grid_.intervals(*digit).back().high : 1;
  }
  Line line(std::optional<std::size_t> digit, double narrowest) const {
    const std::vector<Interval> one = {{0, 1}};
    const auto& intervals = digit ? grid_.intervals(*digit) : one;
    return how_.scale == RegionDrawing::Scale::True
               ? true_line(intervals, per_element_)
               : schematic_line(intervals, narrowest, how_.growth);
  }

  void put(auto shape, std::string id = {}, std::string tooltip = {}) {
    scene_.items.push_back({std::move(shape), std::move(id), std::move(tooltip)});
  }
  void text(double x, double y, std::string words, Align align, Role role, double size) {
    put(Label{{x, y}, std::move(words), align, role, size});
  }

  // ---- the planes

  void multiples() {
    const std::size_t shown = std::min(slices_.distinct.size(), how_.most_slices);
    const double height = rows_.length() + kRuler + kTitle;
    double x = kMargin;
    y_ = kMargin;
    for (std::size_t i = 0; i < shown; ++i) {
      const double words = kWidest * static_cast<double>(title_of(slices_.distinct[i]).size());
      const double width = kRuler + 2 + std::max(columns_.length(), words);
      if (x > kMargin && x + width > how_.width - kMargin) {
        x = kMargin;
        y_ += height + kGap;
      }
      plane(slices_.distinct[i], x, y_);
      right_ = std::max(right_, x + width);
      x += width + kGap;
    }
    y_ += height + kTitle;
    text(kMargin, y_, count_in_words(shown), Align::Left, Role::Faint, 12);
    y_ += kTitle;
  }

  std::string count_in_words(std::size_t shown) const {
    return fmt::format("{} of {}{} shown, of {} in all", shown,
                       slices_.is_complete ? "" : "at least ",
                       plural(slices_.distinct.size(), "distinct slice"), slices_.number);
  }

  std::string title_of(const Slice& slice) const {
    std::string where;
    for (std::size_t digit = 0; digit < grid_.digits(); ++digit) {
      const auto& intervals = grid_.intervals(digit);
      if (slices_.plane.rows == digit || slices_.plane.columns == digit || intervals.size() == 1)
        continue;
      const Interval& at = intervals[slice.at[digit]];
      where += fmt::format("{}{} = {}", where.empty() ? "" : ", ", how_.names[digit],
                           range_in_words(at.low, at.high));
    }
    return fmt::format("{}{}x{}", where, where.empty() ? "" : "   ",
                       plural(slice.multiplicity, "slice"));
  }

  Rect rect_of(const Patch& patch, double x, double y) const {
    const auto at = [](const Line& line, Dim number) {
      return line.from[static_cast<std::size_t>(number)];
    };
    const double left = at(columns_, patch.columns.low), top = at(rows_, patch.rows.low);
    return {x + left, y + top, at(columns_, patch.columns.high) - left,
            at(rows_, patch.rows.high) - top};
  }

  void plane(const Slice& slice, double x, double y) {
    text(x + kRuler, y + 12, title_of(slice), Align::Left, Role::Text, 12);
    const double left = x + kRuler, top = y + kTitle;
    const Rect whole{left, top, columns_.length(), rows_.length()};
    put(Area{whole, Role::Equal}, "", "equal");
    for (const Patch& patch : slice.patches) {
      const Rect at = rect_of(patch, left, top);
      if (how_.paint)
        how_.paint(scene_, patch, at);
      else
        draw(patch, at);
    }
    if (!how_.paint) grid_lines(whole);  // what is painted shows its own borders
    put(Outline{whole, Role::Frame});
    for (const Patch& patch : slice.patches) {
      if (how_.alike.contains(patch.box))
        put(Outline{rect_of(patch, left, top), Role::Selected, 2});
    }
    for (const Patch& patch : slice.patches) {
      mark(patch, rect_of(patch, left, top));
      if (how_.selected == patch.box) put(Outline{rect_of(patch, left, top), Role::Selected, 4});
    }
    ranges(left, top);
  }

  // What is not so about a box, where somebody looked at every element of it.
  void mark(const Patch& patch, const Rect& at) {
    if (patch.box >= how_.findings.size() || how_.findings[patch.box].empty()) return;
    put(Outline{at, Role::Wrong, 4});
    text(at.x + 6, at.y + 14, how_.findings[patch.box], Align::Left, Role::Text, 11);
  }

  void draw(const Patch& patch, const Rect& at) {
    const Role role = role_of(patch.state);
    put(Area{at, Role::Background}, fmt::format("box:{}", patch.box), tooltip_of(patch));
    for (const Segment& s : pattern_of(patch.state, at)) put(s);
    put(Outline{at, role, 1.5});
  }

  std::string tooltip_of(const Patch& patch) const {
    const Box& box = grid_.boxes()[patch.box].box;
    std::string out(in_words(patch.state));
    for (std::size_t digit = 0; digit < grid_.digits(); ++digit)
      out += fmt::format("\n{} {}", how_.names[digit],
                         range_in_words(box.low[digit], box.high[digit]));
    return out + "\n" + plural(box.volume(), "element");
  }

  void grid_lines(const Rect& whole) {
    for (std::size_t i = 1; i + 1 < rows_.from.size(); ++i)
      put(Segment{{whole.x, whole.y + rows_.from[i]},
                  {whole.right(), whole.y + rows_.from[i]},
                  Role::Frame});
    for (std::size_t i = 1; i + 1 < columns_.from.size(); ++i)
      put(Segment{{whole.x + columns_.from[i], whole.y},
                  {whole.x + columns_.from[i], whole.bottom()},
                  Role::Frame});
  }

  // The ranges beside and below a plane, where there is room for them.
  void ranges(double left, double top) {
    if (slices_.plane.columns) {
      labels(*slices_.plane.columns, columns_, [&](double middle, std::string words) {
        text(left + middle, top + rows_.length() + 13, std::move(words), Align::Centre, Role::Faint,
             kSmallText);
      });
    }
    if (slices_.plane.rows) {
      labels(*slices_.plane.rows, rows_, [&](double middle, std::string words) {
        text(left - 4, top + middle + 4, std::move(words), Align::Right, Role::Faint, kSmallText);
      });
    }
  }

  void labels(std::size_t digit, const Line& line, auto at) const {
    const auto& intervals = grid_.intervals(digit);
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      const double length = line.from[i + 1] - line.from[i];
      if (length < 14) continue;
      at((line.from[i] + line.from[i + 1]) / 2,
         range_in_words(intervals[i].low, intervals[i].high));
    }
  }

  // ---- one ruler for every digit: any rank in one picture

  void rulers() {
    const double left = kMargin + 70, length = std::max(200.0, how_.width - left - kMargin);
    for (std::size_t digit = 0; digit < grid_.digits(); ++digit) {
      ruler(digit, left, length);
      y_ += kRuler + 8;
    }
    right_ = std::max(right_, left + length);
  }

  void ruler(std::size_t digit, double left, double length) {
    text(kMargin, y_ + 13, how_.names[digit], Align::Left, Role::Text, 12);
    std::vector<RulerPart> parts;
    for (const Interval& range : grid_.intervals(digit)) {
      const std::size_t number = parts.size();
      parts.push_back(
          {range, state_in(digit, number), fmt::format("interval:{}:{}", digit, number), {}});
    }
    add_ruler(scene_, parts, left, y_, length);
  }

  // Of the first box that is not equal in an interval.
  State state_in(std::size_t digit, std::size_t number) const {
    const Interval& at = grid_.intervals(digit)[number];
    const auto found = std::ranges::find_if(grid_.boxes(), [&](const StatedBox& stated) {
      return stated.state != State::Equal && stated.box.low[digit] <= at.low &&
             at.high <= stated.box.high[digit];
    });
    return found == grid_.boxes().end() ? State::Equal : found->state;
  }

  const QuotientGrid& grid_;
  const Slices& slices_;
  const RegionDrawing& how_;
  double per_element_ = 1;
  Line rows_, columns_;
  Scene scene_;
  double y_ = 0;
  double right_ = 0;
};

}  // namespace

Scene region_scene(const QuotientGrid& grid, const Slices& slices, const RegionDrawing& drawing) {
  return Drawing(grid, slices, drawing).run();
}

}  // namespace pet::viz
