#include "viz/geometry/boxes_scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/util/plural.h"
#include "viz/geometry/region_facts.h"
#include "viz/geometry/ruler.h"
#include "viz/geometry/stencil.h"
#include "viz/words/axis_names.h"

namespace pet::viz {
namespace {

constexpr double kLine = 13;
constexpr double kPadding = 5;
constexpr double kRoomy = 124, kTall = 62;  // of a box that everything fits into
constexpr double kRoomyOfBoth = 190, kTallOfBoth = 110;

std::size_t intervals_of(const QuotientGrid& grid, std::optional<std::size_t> digit) {
  return digit ? grid.intervals(*digit).size() : 1;
}

// As wide as is good where there is room for all.
double wide(std::size_t intervals, double good, double room) {
  constexpr double kTight = 34;
  return std::clamp(room / static_cast<double>(intervals), kTight, good);
}

double tall(std::size_t intervals, double good) {
  constexpr std::size_t kFew = 12;
  constexpr double kTight = 34;
  return intervals > kFew ? kTight : good;
}

bool has_both_programs(const Summation& summation) {
  return std::ranges::any_of(summation.sums, [&](const Sum& sum) {
    return sum.is_of_original != summation.sums.front().is_of_original;
  });
}

// What is written in a box: the sums of one program, or of both where they are told alike.
struct Block {
  std::string title;
  std::vector<const SumInBox*> sums;
};

class BoxPainter {
 public:
  BoxPainter(const Summation& summation, const std::vector<std::string>& names)
      : summation_(summation), names_(names), has_both_(has_both_programs(summation)) {}

  void paint(Scene& scene, const Patch& patch, const Rect& at) const {
    const SummedBox& box = summation_.boxes[patch.box];
    scene.items.push_back({Area{at, Role::Surface}, fmt::format("box:{}", patch.box),
                           box_in_words(summation_, patch.box, names_)});
    // In a frame of hatches, so that words stay readable.
    if (patch.state != State::Equal) hatched_frame(scene, patch.state, at);
    scene.items.push_back({Outline{at, Role::Frame}});
    write(scene, box, inside_of(at));
  }

 private:
  static Rect inside_of(const Rect& at) {
    return {at.x + kPadding + 2, at.y + kPadding + 1, at.width - 2 * kPadding - 4,
            at.height - 2 * kPadding - 2};
  }

  static void hatched_frame(Scene& scene, State state, const Rect& at) {
    const Role role = state == State::Unknown ? Role::Unknown : Role::Wrong;
    for (const Segment& s : state == State::Unknown ? dots(at, role, 5) : hatch(at, role, 5))
      scene.items.push_back({s});
    const Rect inner{at.x + kPadding, at.y + kPadding, at.width - 2 * kPadding,
                     at.height - 2 * kPadding};
    if (inner.width > 0 && inner.height > 0) scene.items.push_back({Area{inner, Role::Background}});
  }

  void write(Scene& scene, const SummedBox& box, const Rect& room) const {
    if (room.height < 8 || room.width < 14) return;
    const std::string number = fmt::format("#{}", box.formula + 1);
    if (!box.reason.empty() || box.sums.empty()) {
      line(scene, room, room.y + 9, number, room.width);
      line(scene, room, room.y + 9 + kLine, box.reason.empty() ? "zero" : "not known", room.width);
      return;
    }
    double y = room.y;
    for (const Block& block : blocks_of(box, number)) y = write(scene, block, room, y) + 3;
  }

  std::vector<Block> blocks_of(const SummedBox& box, const std::string& number) const {
    Block original{number + (has_both_ ? " original" : ""), {}}, mutant{"mutant", {}};
    for (const SumInBox& sum : box.sums)
      (has_both_ && !summation_.sums[sum.sum].is_of_original ? mutant : original)
          .sums.push_back(&sum);
    if (!has_both_) return {original};
    if (are_told_alike(original, mutant)) return {{number + " both", original.sums}};
    return {original, mutant};
  }

  bool are_told_alike(const Block& a, const Block& b) const {
    return std::ranges::equal(a.sums, b.sums, [&](const SumInBox* x, const SumInBox* y) {
      return x->reads == y->reads && x->coefficients == y->coefficients &&
             x->products == y->products && taps_of(*x) == taps_of(*y);
    });
  }

  std::vector<Tap> taps_of(const SumInBox& here) const {
    std::vector<Tap> out;
    for (std::size_t i = 0; i < here.has_tap.size(); ++i)
      if (here.has_tap[i]) out.push_back(summation_.sums[here.sum].taps[i]);
    return out;
  }

  // Stencils stand to the right of the words. Returns where the block ends.
  double write(Scene& scene, const Block& block, const Rect& room, double top) const {
    double stencils = room.right(), bottom = top;
    for (const SumInBox* sum : block.sums) {
      const Stencil stencil(summation_.sums[sum->sum]);
      if (!stencil.is_drawn() || top + stencil.height() > room.bottom() ||
          stencils - stencil.width() < room.x + 6 * kSmallCharacter)
        break;
      stencils -= stencil.width();
      stencil.draw(scene, *sum, stencils, top);
      stencils -= kTap;
      bottom = std::max(bottom, top + stencil.height());
    }
    double y = top + 9;
    line(scene, room, y, block.title, stencils - room.x);
    for (const std::string& words :
         fitting_lines(lines_of(block), static_cast<int>((room.bottom() + 1 - y) / kLine))) {
      y += kLine;
      line(scene, room, y, words, (y - 9 < bottom ? stencils : room.right()) - room.x);
    }
    return std::max(bottom, y + 2);
  }

  static void line(Scene& scene, const Rect& room, double y, const std::string& words,
                   double width) {
    if (y > room.bottom() + 1) return;
    scene.items.push_back(
        {Label{{room.x, y}, fitting(words, width), Align::Left, Role::Text, kSmallText}});
  }

  // One axis a line while there is one sum, else one sum a line.
  std::vector<std::string> lines_of(const Block& block) const {
    if (block.sums.empty()) return {"zero"};
    std::vector<std::string> out;
    for (const SumInBox* sum : block.sums) {
      std::string words = interval_in_words(*sum, summation_.basis);
      if (block.sums.size() > 1) {
        out.push_back(std::move(words));
        continue;
      }
      for (std::size_t at = end_of_axis(words); at < words.size(); at = end_of_axis(words)) {
        out.push_back(words.substr(0, at));
        words.erase(0, at + 2);
      }
      out.push_back(std::move(words));
    }
    return out;
  }

  // Where not all have room the last one says how many do.
  static std::vector<std::string> fitting_lines(std::vector<std::string> lines, int room) {
    const auto all = static_cast<int>(lines.size());
    if (all <= room) return lines;
    lines.resize(static_cast<std::size_t>(std::max(0, room)));
    if (room > 0) lines.back() = fmt::format("{} of {} lines", room - 1, all);
    return lines;
  }

  // Commas within a set of offsets are none.
  static std::size_t end_of_axis(const std::string& words) {
    int depth = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == '{' || words[i] == '[') ++depth;
      if (words[i] == '}' || words[i] == ']') --depth;
      if (depth == 0 && words[i] == ',') return i;
    }
    return words.size();
  }

  const Summation& summation_;
  const std::vector<std::string>& names_;
  const bool has_both_;
};

}  // namespace

QuotientGrid grid_of(const Summation& summation, const std::vector<State>& states) {
  std::vector<StatedBox> boxes;
  for (std::size_t i = 0; i < summation.boxes.size(); ++i) {
    const SummedBox& box = summation.boxes[i];
    const State known = box.reason.empty() ? State::Equal : State::Unknown;
    boxes.push_back({box.box, states.empty() ? known : states[i], box.formula});
  }
  return {summation.basis, std::move(boxes)};
}

Plane plane_of_axes(const QuotientGrid& grid) {
  std::vector<std::size_t> chosen;
  std::size_t first = grid.digits();
  for (std::size_t axis = grid.basis().digits.size(); axis-- > 0 && chosen.size() < 2;) {
    const std::size_t end = first;
    first -= grid.basis().digits[axis].size();
    std::size_t most = first;
    for (std::size_t digit = first; digit < end; ++digit)
      if (grid.intervals(digit).size() >= grid.intervals(most).size()) most = digit;
    if (grid.intervals(most).size() > 1) chosen.push_back(most);
  }
  if (chosen.size() < 2) return usual_plane(grid);
  return {chosen[1], chosen[0]};
}

Scene boxes_scene(const Summation& summation, const QuotientGrid& grid, const Slices& slices,
                  const BoxesDrawing& how) {
  RegionDrawing drawing;
  drawing.scale = how.scale;
  drawing.selected = how.selected;
  drawing.width = how.width;
  drawing.has_rulers = false;
  drawing.growth = 4;
  drawing.names = how.names;
  const bool has_both = has_both_programs(summation);
  constexpr double kAround = 120;  // margins, labels, and longer intervals
  drawing.narrowest = wide(intervals_of(grid, slices.plane.columns),
                           has_both ? kRoomyOfBoth : kRoomy, how.width - kAround);
  drawing.lowest = tall(intervals_of(grid, slices.plane.rows), has_both ? kTallOfBoth : kTall);
  for (std::size_t i = 0; i < summation.boxes.size(); ++i)
    if (how.formula == summation.boxes[i].formula) drawing.alike.insert(i);
  const BoxPainter painter(summation, how.names);
  drawing.paint = [&painter](Scene& scene, const Patch& patch, const Rect& at) {
    painter.paint(scene, patch, at);
  };
  return region_scene(grid, slices, drawing);
}

std::string box_in_words(const Summation& summation, std::size_t number,
                         const std::vector<std::string>& names) {
  const SummedBox& box = summation.boxes[number];
  const auto alike = std::ranges::count(summation.boxes, box.formula, &SummedBox::formula);
  std::string out =
      fmt::format("sum {} of {}, in {}", box.formula + 1, summation.formulas, plural(alike, "box"));
  for (std::size_t digit = 0; digit < names.size(); ++digit)
    out += fmt::format("\n{} {}", names[digit],
                       range_in_words(box.box.low[digit], box.box.high[digit]));
  out += "\n" + grouped(box.box.volume(), "element");
  if (!box.reason.empty()) return out + "\nnot known: " + box.reason;
  if (box.sums.empty()) return out + "\nzero";
  const bool has_sides = has_both_programs(summation);
  for (const SumInBox& here : box.sums) {
    const Sum& sum = summation.sums[here.sum];
    out += fmt::format("\n{}{}", has_sides ? (sum.is_of_original ? "original: " : "mutant: ") : "",
                       formula_in_words(here, summation.basis));
    const std::string taps = taps_in_words(here, sum);
    out += fmt::format("\n  {}{}{}", grouped(static_cast<Dim>(here.products), "product"),
                       taps.empty() ? "" : ", ", taps);
  }
  return out;
}

}  // namespace pet::viz
