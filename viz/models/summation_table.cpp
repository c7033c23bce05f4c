#include "viz/models/summation_table.h"

#include <algorithm>

#include "viz/geometry/region_facts.h"
#include "viz/models/state_words.h"
#include "viz/words/axis_names.h"

namespace pet::viz {

void SummationTable::show_summation(const Summation& summation, std::vector<State> states,
                                    std::vector<std::string> names) {
  beginResetModel();
  summation_ = summation;
  states_ = std::move(states);
  names_ = std::move(names);
  const auto is_there = [&](bool of_original) {
    return std::ranges::any_of(summation_.sums,
                               [&](const Sum& sum) { return sum.is_of_original == of_original; });
  };
  has_both_ = is_there(true) && is_there(false);
  facts_ = {Fact::Elements};
  if (!states_.empty()) facts_.push_back(Fact::State);
  if (is_there(true)) facts_.insert(facts_.end(), {Fact::OriginalInterval, Fact::OriginalTaps});
  if (is_there(false)) facts_.insert(facts_.end(), {Fact::MutantInterval, Fact::MutantTaps});
  endResetModel();
}

int SummationTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(summation_.boxes.size());
}

int SummationTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(1 + names_.size() + facts_.size());
}

QVariant SummationTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto row = static_cast<std::size_t>(index.row());
  const auto column = static_cast<std::size_t>(index.column());
  const SummedBox& box = summation_.boxes[row];
  const bool is_number = column <= names_.size() + 1;
  if (role == Qt::TextAlignmentRole && is_number) return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  QString words;
  if (column == 0)
    words = QString::number(box.formula + 1);
  else if (column <= names_.size())
    words =
        QString::fromStdString(range_in_words(box.box.low[column - 1], box.box.high[column - 1]));
  else
    words = text(box, facts_[column - 1 - names_.size()], row);
  // Names come from files: never markup.
  return role == Qt::ToolTipRole ? "<p>" + words.toHtmlEscaped() + "</p>" : words;
}

std::vector<QString> SummationTable::of_sums(const SummedBox& box, bool of_original,
                                             bool is_interval) const {
  std::vector<QString> out;
  for (const SumInBox& here : box.sums) {
    const Sum& sum = summation_.sums[here.sum];
    if (sum.is_of_original != of_original) continue;
    const std::string words =
        is_interval ? interval_in_words(here, summation_.basis) : taps_in_words(here, sum);
    if (!words.empty()) out.push_back(QString::fromStdString(words));
  }
  return out;
}

QString SummationTable::text(const SummedBox& box, Fact fact, std::size_t row) const {
  if (fact == Fact::Elements) return QString::fromStdString(grouped(box.box.volume()));
  if (fact == Fact::State) return state_in_words(states_[row]);
  if (!box.reason.empty()) return tr("not known: %1").arg(QString::fromStdString(box.reason));
  const bool of_original = fact == Fact::OriginalInterval || fact == Fact::OriginalTaps;
  const bool is_interval = fact == Fact::OriginalInterval || fact == Fact::MutantInterval;
  const auto parts = of_sums(box, of_original, is_interval);
  if (parts.empty()) return is_interval ? tr("zero") : QString();
  constexpr std::size_t kMost = 4;
  QString out;
  for (std::size_t i = 0; i < std::min(parts.size(), kMost); ++i)
    out += (i > 0 ? " | " : "") + parts[i];
  if (parts.size() > kMost) out += tr(" … %1 of %2 sums").arg(kMost).arg(parts.size());
  return out;
}

QVariant SummationTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  const auto column = static_cast<std::size_t>(section);
  if (column == 0) return tr("sum");
  if (column <= names_.size()) return QString::fromStdString(names_[column - 1]);
  if (column - 1 - names_.size() >= facts_.size()) return {};
  switch (facts_[column - 1 - names_.size()]) {
    case Fact::Elements:
      return tr("elements");
    case Fact::State:
      return tr("is");
    case Fact::OriginalInterval:
      return has_both_ ? tr("original: summation interval") : tr("summation interval");
    case Fact::MutantInterval:
      return has_both_ ? tr("mutant: summation interval") : tr("summation interval");
    case Fact::OriginalTaps:
    case Fact::MutantTaps:
      return tr("taps");
  }
  return {};
}

}  // namespace pet::viz
