#include "viz/geometry/splits_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/util/plural.h"
#include "viz/geometry/region_facts.h"
#include "viz/geometry/ruler.h"
#include "viz/words/axis_names.h"
#include "viz/words/causes.h"

namespace pet::viz {
namespace {

constexpr double kMargin = 16;
constexpr double kTitles = 176;  // the column that says what a row is
constexpr double kNames = 14;    // the line of the digits' names, above rulers
constexpr double kRow = 40;      // without what lies between two rows
constexpr double kGap = 8, kRibbon = 24;
constexpr double kHeading = 30;
constexpr double kUncut = 44;    // a ruler of one interval, at most
constexpr double kBetween = 12;  // two rulers

struct Ruler {
  std::size_t digit = 0;
  double left = 0;
  std::vector<RulerPart> parts;
  std::size_t cuts = 0;  // in all; those that begin a part are drawn
  Line line;
  double length = 0;
  // Where the cut stands; nothing: it is not drawn.
  std::optional<double> x_of(Dim at) const {
    for (std::size_t i = 1; i < parts.size(); ++i)
      if (parts[i].range.low == at) return left + line.from[i];
    return std::nullopt;
  }
};

struct Row {
  double top = 0;
  std::vector<Ruler> rulers;
  double ruler_top() const { return top + kNames; }
  double ruler_bottom() const { return top + kNames + kRulerHeight; }
};

class Drawing {
 public:
  Drawing(const SplitsOfPair& pair, const std::optional<OutputOfPair>& output,
          const SplitsDrawing& how)
      : pair_(pair), output_(output), how_(how) {
    if (how.traced) {
      const auto all = viz::traced(pair, *how.traced);
      traced_.insert(all.begin(), all.end());
    }
  }

  Scene run() {
    y_ = kMargin;
    const auto all = values_shown(pair_);
    for (const ProgramSide side : {ProgramSide::Original, ProgramSide::Mutant})
      add_program(side, all);
    if (output_ && output_->is.reason.empty()) add_pair();
    std::ranges::move(ribbons_, std::back_inserter(scene_.items));
    std::ranges::move(front_, std::back_inserter(scene_.items));
    scene_.width = how_.width;
    scene_.height = y_ + kMargin;
    return std::move(scene_);
  }

 private:
  void put(auto shape, std::string id = {}, std::string tooltip = {}) {
    front_.push_back({std::move(shape), std::move(id), std::move(tooltip)});
  }
  void text(double x, double y, std::string words, Role role, double size) {
    put(Label{{x, y}, std::move(words), Align::Left, role, size});
  }

  void add_program(ProgramSide side, const std::vector<ValueOfPair>& all) {
    std::vector<ValueOfPair> here;
    for (const ValueOfPair& value : all)
      if (value.side == side) here.push_back(value);
    const std::size_t shown = std::min(here.size(), how_.most_values);
    const std::string which = side == ProgramSide::Original ? "original" : "mutant";
    heading(
        shown == here.size()
            ? fmt::format("{}: {}; inputs are one box each", which, plural(here.size(), "operator"))
            : fmt::format("{}: the last {} of {} operators", which, shown, here.size()));
    // The last ones lead to what is compared.
    for (std::size_t i = here.size() - shown; i < here.size(); ++i) add_value(here[i]);
  }

  void heading(const std::string& words) {
    text(kMargin, y_ + 12, words, Role::Text, 13);
    y_ += kHeading;
  }

  void add_value(const ValueOfPair& value) {
    const InspectedValue& is = pair_.at(value);
    const Graph& program = pair_.program(value.side);
    Row row{y_, {}};
    row_ground(value, row);
    text(kMargin, row.ruler_top() + 1, fitting(node_in_words(program, value.node), kTitles, 7.2),
         Role::Text, 12);
    text(kMargin, row.ruler_top() + 15, fitting(boxes_in_words(value), kTitles, kSmallCharacter),
         Role::Faint, kSmallText);
    if (is.reason.empty()) {
      row.rulers = rulers_of(is.basis, is.cuts);
      for (Ruler& ruler : row.rulers) {
        for (RulerPart& part : ruler.parts) part.id = id_of(value);
        draw(ruler, is.basis, row);
      }
      for (const InspectedCut& cut : is.cuts) tick(value, cut, row);
    } else {
      unknown(is.reason, row);
    }
    rows_[value] = std::move(row);
    y_ += kRow + (is.cuts.empty() ? kGap : kRibbon);
  }

  void row_ground(const ValueOfPair& value, const Row& row) {
    const Rect at{kMargin - 6, row.top - 2, how_.width - 2 * kMargin + 12,
                  kNames + kRulerHeight + 8};
    // Behind the ribbons, so that they are seen on it.
    scene_.items.push_back({Area{at, Role::Surface}, id_of(value), value_in_words(pair_, value)});
    if (how_.selected == value) scene_.items.push_back({Outline{at, Role::Selected, 2}});
  }

  // "1 -> 18 boxes": the most of an operand, and here.
  std::string boxes_in_words(const ValueOfPair& value) const {
    const InspectedValue& is = pair_.at(value);
    if (!is.reason.empty()) return "boxes not known";
    std::size_t before = 1;
    bool is_known = true;
    for (const NodeId operand : pair_.program(value.side).node(value.node).operands) {
      const InspectedValue& from = pair_.at({value.side, operand});
      if (pair_.program(value.side).node(operand).constant() != nullptr) continue;
      is_known = is_known && from.reason.empty();
      before = std::max(before, from.boxes);
    }
    const std::string here = grouped(static_cast<Dim>(is.boxes), "box");
    if (is_known && before != is.boxes)
      return fmt::format("{} → {}  {}", grouped(static_cast<Dim>(before)), here,
                         shape_in_words(is.basis));
    return fmt::format("{}  {}", here, shape_in_words(is.basis));
  }

  void unknown(const std::string& reason, const Row& row) {
    const double left = kMargin + kTitles + 10;
    const Rect at{left, row.ruler_top(), how_.width - kMargin - left, kRulerHeight};
    for (const Segment& s : dots(at, Role::Unknown)) put(s);
    put(Outline{at, Role::Unknown});
    const std::string words = fitting("unknown: " + reason, at.width - 12, kSmallCharacter);
    put(Area{{at.x + 4, at.y + 2, kSmallCharacter * static_cast<double>(words.size()) + 6,
              at.height - 4},
             Role::Surface});
    text(at.x + 7, at.y + 13, words, Role::Text, kSmallText);
  }

  // ---- rulers

  std::vector<Ruler> rulers_of(const DigitBasis& basis,
                               const std::vector<InspectedCut>& cuts) const {
    const Shape extents = basis.flat();
    std::vector<Ruler> out;
    double fixed = 0, flexible = 0;
    for (std::size_t digit = 0; digit < extents.size(); ++digit) {
      Ruler& ruler = out.emplace_back();
      ruler.digit = digit;
      ruler.parts = parts_of(extents[digit], digit, cuts);
      ruler.cuts = static_cast<std::size_t>(std::ranges::count(cuts, digit, &InspectedCut::digit));
      std::vector<Interval> intervals;
      for (const RulerPart& part : ruler.parts) intervals.push_back(part.range);
      ruler.length = schematic_line(intervals).length();
      if (intervals.size() == 1) ruler.length = std::min(ruler.length, kUncut);
      (intervals.size() == 1 ? fixed : flexible) += ruler.length;
    }
    const double room = how_.width - 2 * kMargin - kTitles - 10 -
                        kBetween * static_cast<double>(std::max<std::size_t>(out.size(), 1) - 1);
    // What is cut takes what room is left.
    const double wide =
        flexible > 0 && room > fixed + 0.5 * flexible ? (room - fixed) / flexible : 0;
    const double all = fixed + flexible > 0 ? std::min(1.0, room / (fixed + flexible)) : 1;
    double left = kMargin + kTitles + 10;
    for (Ruler& ruler : out) {
      const bool is_cut = ruler.parts.size() > 1;
      ruler.length *= wide > 0 ? (is_cut ? wide : 1) : all;
      ruler.left = left;
      left += ruler.length + kBetween;
    }
    return out;
  }

  std::vector<RulerPart> parts_of(Dim extent, std::size_t digit,
                                  const std::vector<InspectedCut>& cuts) const {
    std::vector<Dim> ends = {0};
    for (const InspectedCut& cut : cuts)
      if (cut.digit == digit && ends.size() < how_.most_intervals) ends.push_back(cut.at);
    ends.push_back(extent);
    std::vector<RulerPart> out;
    for (std::size_t i = 1; i < ends.size(); ++i) out.push_back({{ends[i - 1], ends[i]}});
    return out;
  }

  void draw(Ruler& ruler, const DigitBasis& basis, const Row& row) {
    Scene drawn;
    ruler.line = add_ruler(drawn, ruler.parts, ruler.left, row.ruler_top(), ruler.length);
    std::ranges::move(drawn.items, std::back_inserter(front_));
    text(ruler.left, row.top + 10, name_of(ruler, basis), Role::Faint, kSmallText);
  }

  std::string name_of(const Ruler& ruler, const DigitBasis& basis) const {
    const std::string name = digit_names(basis)[ruler.digit];
    const std::size_t drawn = ruler.parts.size() - 1;
    return drawn == ruler.cuts
               ? name
               : fmt::format("{}: {} of {}", name, drawn, plural(ruler.cuts, "cut"));
  }

  // ---- ticks and what they come from

  void tick(const ValueOfPair& value, const InspectedCut& cut, const Row& row) {
    const auto x = row.rulers[cut.digit].x_of(cut.at);
    if (!x) return;
    const CutOfValue here{value, cut.digit, cut.at};
    const Role role = traced_.contains(here) ? Role::Selected : Role::Text;
    const bool is_born = std::ranges::any_of(
        cut.causes, [&](const InspectedCause& cause) { return cause.by == value.node; });
    const double top = row.ruler_top() - 3, bottom = row.ruler_bottom() + 3;
    put(Area{{*x - 1, top, 2, bottom - top}, role},
        fmt::format("cut:{}:{}:{}:{}", value.side == ProgramSide::Original ? 'o' : 'm',
                    value.node.index(), cut.digit, cut.at),
        cut_in_words(pair_, here));
    if (is_born) put(Area{{*x - 3, top - 3, 6, 6}, role});
    if (!is_born && cut.sources.empty()) from_nowhere(*x, top);
    for (const InspectedCut::Source& source : cut.sources) ribbon(here, *x, top, source);
  }

  // Dashes: where it comes from was not found.
  void from_nowhere(double x, double bottom) {
    for (double y = bottom - 11; y < bottom; y += 4)
      ribbons_.push_back({Segment{{x, y}, {x, y + 2}, Role::Unknown}});
  }

  void ribbon(const CutOfValue& to, double x, double y, const InspectedCut::Source& source) {
    const ValueOfPair value{to.value.side, source.value};
    const auto row = rows_.find(value);
    if (row == rows_.end()) return from_nowhere(x, y);
    const auto from = row->second.rulers[source.digit].x_of(source.at);
    if (!from) return from_nowhere(x, y);
    const bool is_traced =
        traced_.contains(to) && traced_.contains({value, source.digit, source.at});
    const Role role = is_traced ? Role::Selected : Role::Frame;
    const double top = row->second.ruler_bottom() + 3;
    for (const double aside : is_traced ? std::vector{-0.6, 0.6} : std::vector{0.0})
      ribbons_.push_back({Segment{{*from + aside, top}, {x + aside, y}, role}});
  }

  // ---- the output of both

  void add_pair() {
    heading("both: the output as it is compared; what is hatched is not equal somewhere");
    Row row{y_, rulers_of(output_->is.basis, output_->is.cuts)};
    const Rect ground{kMargin - 6, row.top - 2, how_.width - 2 * kMargin + 12,
                      kNames + kRulerHeight + 22};
    scene_.items.push_back({Area{ground, Role::Surface}, "pair", "the output in both programs"});
    if (how_.is_output_selected) scene_.items.push_back({Outline{ground, Role::Selected, 2}});
    text(kMargin, row.ruler_top() + 1, fitting(output_->is.name, kTitles, 7.2), Role::Text, 12);
    text(kMargin, row.ruler_top() + 15,
         fitting(fmt::format("{}  {}", grouped(static_cast<Dim>(output_->is.boxes.size()), "box"),
                             shape_in_words(output_->is.basis)),
                 kTitles, kSmallCharacter),
         Role::Faint, kSmallText);
    for (Ruler& ruler : row.rulers) {
      for (RulerPart& part : ruler.parts) {
        part.id = "pair";
        part.state = holds_wrong(ruler.digit, part.range) ? State::Wrong : State::Equal;
      }
      draw(ruler, output_->is.basis, row);
    }
    for (const InspectedCut& cut : output_->is.cuts) pair_tick(cut, row);
    y_ += kRow + kRibbon;
    text(kMargin, y_,
         "■ a cut begins here   | comes from the cut that a line leads to   "
         "o, m: the original, the mutant is cut there",
         Role::Faint, kSmallText);
    y_ += 4;
  }

  bool holds_wrong(std::size_t digit, const Interval& range) const {
    return std::ranges::any_of(output_->is.boxes, [&](const InspectedBox& b) {
      return b.sameness != Sameness::Equal && b.box.low[digit] < range.high &&
             range.low < b.box.high[digit];
    });
  }

  void pair_tick(const InspectedCut& cut, const Row& row) {
    const auto x = row.rulers[cut.digit].x_of(cut.at);
    if (!x) return;
    const double top = row.ruler_top() - 3, bottom = row.ruler_bottom() + 3;
    const auto [letters, words] = who_cuts(cut);
    std::string tooltip =
        fmt::format("cut along {} between {} and {}\n{}", digit_names(output_->is.basis)[cut.digit],
                    cut.at - 1, cut.at, words);
    for (const InspectedCause& cause : cut.causes)
      tooltip += "\n" + in_words(cause, pair_.program(cause.side));
    put(Area{{*x - 1, top, 2, bottom - top}, Role::Text}, "pair", std::move(tooltip));
    put(Label{{*x, bottom + 11}, letters, Align::Centre, Role::Text, kSmallText});
  }

  std::pair<std::string, std::string> who_cuts(const InspectedCut& cut) const {
    const auto cuts = [&](ProgramSide side) {
      const NodeId node = pair_.program(side).outputs()[output_->number];
      const InspectedValue& value = pair_.at({side, node});
      if (!value.reason.empty()) return std::optional<bool>();
      return cuts_there(value, output_->is.basis, cut.digit, cut.at);
    };
    const auto original = cuts(ProgramSide::Original), mutant = cuts(ProgramSide::Mutant);
    if (!original || !mutant) return {"?", "which program is cut there is not known"};
    if (*original && *mutant) return {"o m", "both programs are cut there"};
    if (*original) return {"o", "the original is cut there"};
    if (*mutant) return {"m", "the mutant is cut there"};
    return {"=", "neither program is cut all along there"};
  }

  const SplitsOfPair& pair_;
  const std::optional<OutputOfPair>& output_;
  const SplitsDrawing& how_;
  std::set<CutOfValue> traced_;
  std::map<ValueOfPair, Row> rows_;
  Scene scene_;  // what lies behind
  std::vector<Item> ribbons_, front_;
  double y_ = 0;
};

}  // namespace

Scene splits_scene(const SplitsOfPair& pair, const std::optional<OutputOfPair>& output,
                   const SplitsDrawing& how) {
  return Drawing(pair, output, how).run();
}

}  // namespace pet::viz
