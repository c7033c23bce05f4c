#include "viz/geometry/rounds_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "viz/geometry/ruler.h"
#include "viz/words/numbers.h"

namespace pet::viz {
namespace {

constexpr double kCardWidth = 190, kCardHeight = 34, kCardGap = 6;
constexpr double kLanes = 40;  // left of the cards, for lines
constexpr double kColumnGap = 24, kMargin = 8;
constexpr double kTitleLine = 18, kRoundTitle = 24;
constexpr std::size_t kLaneCount = 6;

class Painter {
 public:
  Painter(std::string selected, std::size_t most) : selected_(std::move(selected)), most_(most) {}

  Scene paint(const std::vector<DrawnColumn>& columns) {
    const std::size_t bands = bands_of(columns);
    std::vector<double> tops{kMargin + 2 * kTitleLine + 8};
    for (std::size_t band = 0; band < bands; ++band)
      tops.push_back(tops.back() + height_of(columns, band));
    double x = kMargin;
    for (const DrawnColumn& column : columns) {
      paint(column, x, tops);
      x += kLanes + kCardWidth + kColumnGap;
    }
    out_.width = std::max(x, 1.0);
    out_.height = tops.back() + kMargin;
    return std::move(out_);
  }

 private:
  static std::size_t bands_of(const std::vector<DrawnColumn>& columns) {
    std::size_t out = 0;
    for (const DrawnColumn& column : columns) out = std::max(out, column.rounds.size());
    return out;
  }

  double height_of(const std::vector<DrawnColumn>& columns, std::size_t band) const {
    std::size_t cards = 0;
    for (const DrawnColumn& column : columns)
      if (band < column.rounds.size())
        cards = std::max(cards, std::min(column.rounds[band].cards.size(), most_));
    return kRoundTitle + static_cast<double>(cards) * (kCardHeight + kCardGap) + 2 * kCardGap;
  }

  void paint(const DrawnColumn& column, double x, const std::vector<double>& tops) {
    label({x, kMargin + 12}, column.title, Role::Text, 13);
    add(Item{Label{{x, kMargin + 12 + kTitleLine},
                   fitting(column.detail, kLanes + kCardWidth, 6.2),
                   Align::Left,
                   Role::Faint,
                   11},
             {},
             column.detail});
    places_.clear();
    lines_ = 0;
    for (std::size_t band = 0; band < column.rounds.size(); ++band)
      paint(column.rounds[band], x, tops[band]);
  }

  // Those that are drawn: the first ones, and instead of the last of them what must be seen.
  std::vector<const DrawnCard*> shown(const DrawnRound& round) const {
    std::vector<const DrawnCard*> must, out;
    for (const DrawnCard& card : round.cards)
      if (card.is_chosen || card.id == selected_) must.push_back(&card);
    for (const DrawnCard& card : round.cards) {
      const bool is_must = card.is_chosen || card.id == selected_;
      const std::size_t left = most_ - std::min(most_, must.size());
      const std::size_t others =
          out.size() -
          static_cast<std::size_t>(std::ranges::count_if(
              out, [&](const DrawnCard* one) { return one->is_chosen || one->id == selected_; }));
      if (is_must || others < left) out.push_back(&card);
    }
    return out;
  }

  void paint(const DrawnRound& round, double x, double top) {
    const auto cards = shown(round);
    add(Item{Segment{{x, top}, {x + kLanes + kCardWidth, top}, Role::Frame}, {}, {}});
    const std::string title = cards.size() == round.cards.size()
                                  ? round.title
                                  : fmt::format("{}; {} of {} shown", round.title, cards.size(),
                                                grouped(static_cast<Dim>(round.cards.size())));
    label({x + kLanes, top + 16}, title, Role::Text, 11);
    double y = top + kRoundTitle;
    for (const DrawnCard* card : cards) {
      paint(*card, {x + kLanes, y, kCardWidth, kCardHeight});
      y += kCardHeight + kCardGap;
    }
  }

  void paint(const DrawnCard& card, const Rect& at) {
    connect(card, at);
    places_[card.id] = at;
    add(Item{Area{at, Role::Surface}, card.id, card.tooltip});
    const Rect flag{at.x, at.y, 6, at.height};
    switch (card.kind) {
      case DrawnCard::Kind::Waiting:
        for (const Segment& dot : dots(flag, Role::Unknown)) add(Item{dot, {}, {}});
        break;
      case DrawnCard::Kind::Wrong:
        for (const Segment& line : hatch(flag, Role::Wrong)) add(Item{line, {}, {}});
        break;
      case DrawnCard::Kind::Looked:
      case DrawnCard::Kind::Faster:
        add(Item{Area{flag, Role::Equal}, {}, {}});
        break;
      case DrawnCard::Kind::Gone:
        break;
    }
    const Role ink = card.kind == DrawnCard::Kind::Gone ? Role::Faint : Role::Text;
    label({at.x + 12, at.y + 14}, card.title, ink, 12);
    label({at.x + 12, at.y + 28}, card.words, ink, 11);
    if (card.is_chosen)
      add(Item{
          Label{{at.right() - 6, at.y + 14}, "in the plan", Align::Right, Role::Text, 11}, {}, {}});
    const bool is_selected = card.id == selected_;
    add(Item{Outline{at, is_selected ? Role::Selected : Role::Frame,
                     card.is_chosen || is_selected ? 2.0 : 1.0},
             {},
             {}});
  }

  // Out of the parent, down a lane of its own, into the card.
  void connect(const DrawnCard& card, const Rect& at) {
    if (!card.parent) return;
    const auto from = places_.find(*card.parent);
    if (from == places_.end()) return;
    const double x = at.x - 6 - 5 * static_cast<double>(lines_++ % kLaneCount);
    const double start = from->second.y + from->second.height / 2, end = at.y + at.height / 2;
    const double thick = card.is_chosen ? 2.5 : 1;
    const auto line = [&](double left, double top, double right, double bottom) {
      add(Item{Area{{left, top, std::max(right - left, thick), std::max(bottom - top, thick)},
                    card.is_chosen ? Role::Text : Role::Frame},
               {},
               {}});
    };
    line(x, start, from->second.x, start);
    line(x, start, x, end);
    line(x, end, at.x, end);
  }

  void label(Point at, const std::string& words, Role role, double size) {
    add(Item{Label{at, words, Align::Left, role, size}, {}, {}});
  }
  void add(Item item) { out_.items.push_back(std::move(item)); }

  Scene out_;
  const std::string selected_;
  const std::size_t most_;
  std::map<std::string, Rect> places_;  // of the column's cards so far
  std::size_t lines_ = 0;
};

}  // namespace

Scene rounds_scene(const std::vector<DrawnColumn>& columns, const std::string& selected,
                   std::size_t most) {
  return Painter(selected, most).paint(columns);
}

}  // namespace pet::viz
