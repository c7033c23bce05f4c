// BoxesPage: what it asks for, and what comes back: the cuts of every value, then of the one that
// is looked at its boxes and what it is in each.
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <algorithm>

#include "viz/geometry/inspected.h"
#include "viz/models/summation_table.h"
#include "viz/views/boxes_page.h"
#include "viz/views/page_parts.h"
#include "viz/views/scene_view.h"
#include "viz/words/axis_names.h"
#include "viz/words/causes.h"
#include "viz/words/numbers.h"

namespace pet::viz {
namespace {

constexpr std::size_t kMostSlices = 100'000;  // combinations of intervals that are looked at

QString text(const std::string& words) { return QString::fromStdString(words); }

}  // namespace

// ---- what is asked for

void BoxesPage::refresh() {
  const auto pair = opened().pair;
  if (!pair || !pair->original || !ports_.splits)
    return clear(tr("Boxes are of two programs: open a case, or choose a mutant of a search"));
  clear(tr("Looking for the boxes of every value …"));
  jobs_.start("splits", "boxes of every value",
              [this, pair](const std::stop_token& stop) -> Result<Delivery> {
                auto splits = ports_.splits(*pair, stop);
                if (!splits) return splits.error();
                return Delivery([this, pair, splits = *std::move(splits)] {
                  if (opened().pair == pair) take_splits(splits);
                });
              });
}

void BoxesPage::clear(const QString& why) {
  splits_.reset();
  values_.clear();
  sums_.clear();
  shown_.reset();
  traced_.reset();
  box_.reset();
  formula_.reset();
  {
    const QSignalBlocker quiet(value_);
    value_->clear();
  }
  headline_->setText(why);
  counts_->clear();
  boxes_->show_summation({}, {}, {});
  view_->show_scene({});
}

void BoxesPage::take_splits(InspectedSplits splits) {
  splits_ = std::move(splits);
  fill_values();
}

std::optional<SplitsOfPair> BoxesPage::pair() const {
  if (!splits_) return std::nullopt;
  return SplitsOfPair{*opened().pair->original, *opened().pair->mutant, *splits_};
}

// The outputs of both come last; the first that is not equal everywhere is looked at.
void BoxesPage::fill_values() {
  const SplitsOfPair all = *pair();
  const QSignalBlocker quiet(value_);
  for (const ValueOfPair& value : values_shown(all)) {
    values_.push_back({value, 0});
    const QString which = value.side == ProgramSide::Original ? tr("original") : tr("mutant");
    value_->addItem(which + ": " + text(node_in_words(all.program(value.side), value.node)));
  }
  const auto& outputs = opened().pair->outputs;
  const auto first_output = static_cast<std::ptrdiff_t>(values_.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    values_.push_back({std::nullopt, i});
    value_->addItem(tr("both: ") + text(outputs[i].name));
  }
  const auto wrong = std::ranges::find_if(
      outputs, [](const InspectedOutput& o) { return !o.reason.empty() || !o.wrong.empty(); });
  const auto number = first_output + (wrong == outputs.end() ? 0 : wrong - outputs.begin());
  if (values_.empty()) return clear(tr("No value follows from the inputs"));
  value_->setCurrentIndex(static_cast<int>(std::min(number, std::ssize(values_) - 1)));
  look_at(value_->currentIndex());
}

const BoxesPage::Looked* BoxesPage::looked() const {
  const int number = value_->currentIndex();
  return number < 0 || std::cmp_greater_equal(number, values_.size())
             ? nullptr
             : &values_[static_cast<std::size_t>(number)];
}

void BoxesPage::look_at(int number) {
  if (number < 0 || std::cmp_greater_equal(number, values_.size())) return;
  const Looked& now = values_[static_cast<std::size_t>(number)];
  shown_.reset();
  box_.reset();
  formula_.reset();
  if (traced_ && now.value != traced_->value) traced_.reset();
  headline_->setText(value_->currentText());
  counts_->clear();
  boxes_->show_summation({}, {}, {});
  Q_EMIT selected(now.value ? text(value_in_words(*pair(), *now.value))
                            : tr("%1: the output in both programs").arg(value_->currentText()));
  const auto known = sums_.find(now);
  if (known == sums_.end())
    ask_for_sums(now);
  else
    take_sums(now, known->second);
  draw();
}

void BoxesPage::ask_for_sums(const Looked& what) {
  const auto opened_pair = opened().pair;
  jobs_.start("sums", "what " + value_->currentText().toStdString() + " is, box by box",
              [this, what, opened_pair](const std::stop_token& stop) -> Result<Delivery> {
                auto sums =
                    what.value ? ports_.sums(*opened_pair, what.value->side, what.value->node, stop)
                               : ports_.sums_of_output(*opened_pair, what.output, stop);
                if (!sums) return sums.error();
                return Delivery([this, what, opened_pair, sums = *std::move(sums)] {
                  if (opened().pair != opened_pair) return;
                  sums_[what] = sums;
                  if (looked() != nullptr && *looked() == what) take_sums(what, sums);
                });
              });
}

// ---- what comes back

void BoxesPage::take_sums(const Looked& what, const InspectedSums& sums) {
  if (!sums.reason.empty()) {
    counts_->setText(tr("Nothing is known of its boxes: %1").arg(text(sums.reason)));
    return;
  }
  Summation summation = summation_of(sums);
  auto states = states_of(what, summation);
  auto names = digit_names(summation.basis);
  QuotientGrid grid = grid_of(summation, states);
  Slices slices = slices_of(grid, plane_of_axes(grid), kMostSlices, Drawn::All);
  boxes_->show_summation(summation, states, names);
  table_->resizeColumnsToContents();
  counts_->setText(tr("%1, %2, instead of %3")
                       .arg(text(grouped(static_cast<Dim>(summation.boxes.size()), "box")),
                            text(grouped(static_cast<Dim>(summation.formulas), "sum")),
                            text(grouped(grid.elements(), "element"))));
  shown_.emplace(Shown{std::move(summation), std::move(states), std::move(names), std::move(grid),
                       std::move(slices)});
  fill_plane(*rows_, *columns_, shown_->slices.plane, shown_->names);
  draw();
}

// Of an output of both, what was found out of each box.
std::vector<State> BoxesPage::states_of(const Looked& what, const Summation& summation) const {
  if (what.value) return {};
  std::map<Shape, State> by_place;
  for (const InspectedBox& box : opened().pair->outputs[what.output].boxes)
    by_place[box.box.low] = state_of(box.sameness);
  std::vector<State> out;
  for (const SummedBox& box : summation.boxes) {
    const auto found = by_place.find(box.box.low);
    out.push_back(found == by_place.end() ? State::Unknown : found->second);
  }
  return out;
}

void BoxesPage::choose_plane() {
  if (!shown_) return;
  const Plane plane = chosen_plane(*rows_, *columns_);
  shown_->slices = slices_of(shown_->grid, plane, kMostSlices, Drawn::All);
  fill_plane(*rows_, *columns_, plane, shown_->names);
  draw();
}

}  // namespace pet::viz
