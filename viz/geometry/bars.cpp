#include "viz/geometry/bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pet::viz {
namespace {

constexpr double kMargin = 16;
constexpr double kLabels = 160;   // the column of the rows' names
constexpr double kSeries = 62;    // that of the programs' names
constexpr double kWords = 260;    // that of the numbers
constexpr double kShortest = 60;  // the axis
constexpr double kBar = 13;
constexpr double kThinBar = 8;  // above its bounds
constexpr double kBarStep = 17;
constexpr double kRowGap = 12;
constexpr double kAxis = 14;     // the height of its numbers
constexpr double kMissing = 60;  // how long the hatch of a missing bar is
constexpr double kLarge = 14, kPlain = 12, kSmall = 10;
constexpr double kPlainWide = 6.7, kSmallWide = 5.5;  // a character, on average

// Which of two programs; their names stand beside the bars.
Role role_of(std::size_t series) { return series == 0 ? Role::Frame : Role::Selected; }

bool is_inside_of_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::size_t fitting(double width, double each) {
  return static_cast<std::size_t>(std::max(2.0, width / each));
}

// The end of a name tells more than its beginning ("…/layer1.0/conv2/Conv").
std::string end_of(const std::string& text, double width, double each) {
  const std::size_t most = fitting(width, each);
  if (text.size() <= most) return text;
  std::size_t from = text.size() - (most - 1);
  while (from < text.size() && is_inside_of_a_character(text[from])) ++from;
  return fmt::format("…{}", text.substr(from));
}

std::string beginning_of(const std::string& text, double width, double each) {
  const std::size_t most = fitting(width, each);
  if (text.size() <= most) return text;
  std::size_t end = most - 1;
  while (end > 0 && is_inside_of_a_character(text[end])) --end;
  return fmt::format("{}…", text.substr(0, end));
}

bool has_number(const Bar& bar) {
  return bar.source != Source::Missing && bar.source != Source::None;
}

// 1, 2 or 5 times a power of ten: about four of them are the whole.
double step_of(double most) {
  const double rough = most / 4;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double times : {1.0, 2.0, 5.0})
    if (rough <= times * power) return times * power;
  return 10 * power;
}

// Bounds that are far away do not make the bars short: they run out of the picture.
double most_of(const BarGroup& group) {
  constexpr double kFar = 1.6;
  double longest = 0, bounded = 0;
  for (const BarRow& row : group.rows) {
    for (const Bar& bar : row.bars) {
      longest = std::max(longest, bar.ms);
      if (bar.bounds) bounded = std::max(bounded, bar.bounds->high);
    }
  }
  const double most = std::max(longest, std::min(bounded, kFar * longest));
  return most > 0 ? most : 1;
}

class Drawing {
 public:
  Drawing(const BarChart& chart, const BarDrawing& how) : chart_(chart), how_(how) {
    left_ = kMargin + kLabels + kSeries;
    length_ = std::max(kShortest, how.width - left_ - kWords - kMargin);
  }

  Scene run() {
    legend();
    for (std::size_t i = 0; i < chart_.groups.size(); ++i) group(i);
    scene_.width = std::max(how_.width, left_ + length_ + kWords + kMargin);
    scene_.height = y_ + kMargin;
    return std::move(scene_);
  }

 private:
  void put(auto shape, std::string id = {}, std::string tooltip = {}) {
    scene_.items.push_back({std::move(shape), std::move(id), std::move(tooltip)});
  }
  void text(double x, double y, std::string words, Align align, Role role, double size) {
    put(Label{{x, y}, std::move(words), align, role, size});
  }

  // ---- what the looks of a bar mean

  void legend() {
    double x = kMargin;
    for (const Source source :
         {Source::Measured, Source::Remembered, Source::Modelled, Source::Missing}) {
      fill({x, y_, 30, kBar}, source, Role::Frame);
      const std::string words(in_words(source));
      text(x + 36, y_ + 11, words, Align::Left, Role::Faint, kPlain);
      x += 36 + kPlainWide * static_cast<double>(words.size()) + 22;
    }
    text(x, y_ + 11, "├─┤ bounds of the median", Align::Left, Role::Faint, kPlain);
    y_ += kBar + kRowGap;
  }

  void fill(const Rect& at, Source source, Role role) {
    const bool is_full = source == Source::Measured || source == Source::Remembered;
    put(Area{at, is_full ? role : Role::Background});
    if (source == Source::Missing) {
      for (const Segment& s : hatch(at, Role::Unknown, 6)) put(s);
      put(Outline{at, Role::Unknown});
    } else if (source == Source::Modelled) {
      for (const Segment& s : dots(at, role, 5)) put(s);
      put(Outline{at, role, 1.5});
    } else if (source == Source::Remembered) {
      for (const Segment& s : dots(at, Role::Background, 5)) put(s);
    }
  }

  // ---- a group on its axis

  void group(std::size_t number) {
    const BarGroup& group = chart_.groups[number];
    y_ += kRowGap;
    text(kMargin, y_ + 12, group.title, Align::Left, Role::Text, kLarge);
    y_ += 22;
    const std::size_t shown = std::min(group.rows.size(), how_.most_rows);
    if (shown < group.rows.size()) {
      text(kMargin, y_ + 11,
           fmt::format("{} of {} shown, the longest first; the table has all", shown,
                       group.rows.size()),
           Align::Left, Role::Faint, kPlain);
      y_ += 18;
    }
    most_ = most_of(group);
    const bool has_axis = std::ranges::any_of(
        group.rows, [](const BarRow& row) { return std::ranges::any_of(row.bars, has_number); });
    const double top = y_ + (has_axis ? kAxis : 0);
    for (std::size_t i = 0; i < shown; ++i) plate(group.rows[i], {number, i}, top);
    if (has_axis) axis(top, static_cast<double>(shown) * row_height());
    y_ = top;
    for (std::size_t i = 0; i < shown; ++i) row(group.rows[i], {number, i});
  }

  double row_height() const {
    return kBarStep * static_cast<double>(std::max<std::size_t>(chart_.series.size(), 2)) + kRowGap;
  }
  double x_of(double ms) const { return left_ + length_ * std::clamp(ms / most_, 0.0, 1.0); }

  // Whole at its beginning, else in dashes: seen well, and light.
  void axis_line(double x, double top, double height, bool is_whole) {
    constexpr double kDash = 2, kDashStep = 9;
    if (is_whole) return put(Segment{{x, top}, {x, top + height}, Role::Frame});
    for (double y = top; y < top + height; y += kDashStep)
      put(Segment{{x, y}, {x, std::min(y + kDash, top + height)}, Role::Frame});
  }

  void axis(double top, double height) {
    const double step = step_of(most_);
    for (int i = 0; i * step <= most_ * 1.0001; ++i) {
      const double x = x_of(i * step);
      axis_line(x, top, height, i == 0);
      text(x, y_ + 10, fmt::format("{:.4g}", i * step), Align::Centre, Role::Faint, kSmall);
    }
    text(left_ + length_ + 10, y_ + 10, "ms", Align::Left, Role::Faint, kSmall);
  }

  // ---- a row: its name, and a bar for each program

  Rect row_at(double y) const {
    return {kMargin / 2, y, left_ + length_ + kWords - kMargin / 2, row_height()};
  }

  // What is clicked, behind everything else.
  void plate(const BarRow& row, const BarPlace& place, double top) {
    put(Area{row_at(top + static_cast<double>(place.row) * row_height()), Role::Background},
        fmt::format("row:{}:{}", place.group, place.row), tooltip_of(row));
  }

  void row(const BarRow& row, const BarPlace& place) {
    const double top = y_ + kRowGap / 2;
    text(kMargin, top + 11, end_of(row.label, kLabels - 8, kPlainWide), Align::Left, Role::Text,
         kPlain);
    text(kMargin, top + 25, beginning_of(row.note, kLabels - 8, kSmallWide), Align::Left,
         Role::Faint, kSmall);
    for (std::size_t i = 0; i < row.bars.size(); ++i)
      bar(row.bars[i], i, top + kBarStep * static_cast<double>(i));
    if (how_.selected == place) put(Outline{row_at(y_), Role::Selected, 2});
    y_ += row_height();
  }

  void bar(const Bar& bar, std::size_t series, double top) {
    text(left_ - 6, top + 10, end_of(chart_.series[series], kSeries - 6, kSmallWide), Align::Right,
         Role::Faint, kSmall);
    const double end = bar.source == Source::Missing ? left_ + std::min(kMissing, length_)
                                                     : std::max(x_of(bar.ms), left_ + 1);
    const double height = bar.bounds ? kThinBar : kBar;
    if (bar.source != Source::None)
      fill({left_, top, end - left_, height}, bar.source, role_of(series));
    if (bar.bounds) whisker(*bar.bounds, top + kThinBar + 3.5);
    // What is missing has no length: its reason begins right behind the hatch.
    const double from = (bar.source == Source::Missing ? end : left_ + length_) + 10;
    const double room = left_ + length_ + kWords - from;
    if (bar.source == Source::Missing) put(Area{{from - 4, top, room, kBar}, Role::Background});
    text(from, top + 10, beginning_of(in_words(bar), room, kSmallWide), Align::Left, Role::Text,
         kSmall);
  }

  // An end that is not in the picture has no cap.
  void whisker(const Bounds& bounds, double y) {
    put(Segment{{x_of(bounds.low), y}, {x_of(bounds.high), y}, Role::Text});
    for (const double end : {bounds.low, bounds.high}) {
      if (end <= most_) put(Segment{{x_of(end), y - 2.5}, {x_of(end), y + 2.5}, Role::Text});
    }
  }

  std::string tooltip_of(const BarRow& row) const {
    std::string out = row.label + (row.note.empty() ? "" : "\n" + row.note);
    for (std::size_t i = 0; i < row.bars.size(); ++i)
      out += fmt::format("\n{}: {}", chart_.series[i], in_words(row.bars[i]));
    return out;
  }

  const BarChart& chart_;
  const BarDrawing& how_;
  double left_ = 0, length_ = 0, most_ = 1;
  double y_ = kMargin;
  Scene scene_;
};

}  // namespace

std::string_view in_words(Source source) {
  switch (source) {
    case Source::Measured:
      return "measured";
    case Source::Remembered:
      return "remembered";
    case Source::Modelled:
      return "modelled";
    case Source::Missing:
      return "missing";
    case Source::None:
      return "none";
  }
  return "?";
}

std::string ms_in_words(double ms) {
  const double size = std::abs(ms);
  const int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.01 ? 3 : 4;
  return fmt::format("{:.{}f} ms", ms, digits);
}

std::string in_words(const Bar& bar) {
  if (bar.source == Source::Missing) return "missing: " + bar.why;
  if (bar.source == Source::None) return std::string(in_words(bar.source));
  std::string out = ms_in_words(bar.ms);
  if (bar.ms < 0) out += ": the others are more than a run";
  if (bar.bounds) out += fmt::format(" ({:.3g} to {:.3g})", bar.bounds->low, bar.bounds->high);
  if (bar.share) out += fmt::format(", {:.1f} %", 100 * *bar.share);
  out += fmt::format(", {}", in_words(bar.source));
  if (bar.calls > 1) out += fmt::format(", {} calls", bar.calls);
  if (bar.samples > 0) out += fmt::format(", n = {}", bar.samples);
  return out;
}

Scene bars_scene(const BarChart& chart, const BarDrawing& drawing) {
  return Drawing(chart, drawing).run();
}

std::optional<BarPlace> place_of(const std::string& id) {
  constexpr std::string_view kPrefix = "row:";
  if (!id.starts_with(kPrefix)) return std::nullopt;
  BarPlace out;
  const char* end = id.data() + id.size();
  const auto group = std::from_chars(id.data() + kPrefix.size(), end, out.group);
  if (group.ec != std::errc() || group.ptr == end) return std::nullopt;
  const auto row = std::from_chars(group.ptr + 1, end, out.row);
  if (row.ec != std::errc() || row.ptr != end) return std::nullopt;
  return out;
}

}  // namespace pet::viz
