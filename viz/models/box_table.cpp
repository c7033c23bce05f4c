#include "viz/models/box_table.h"

#include <algorithm>
#include <numeric>

#include "viz/geometry/region_facts.h"
#include "viz/models/state_words.h"
#include "viz/models/table_text.h"
#include "viz/words/axis_names.h"

namespace pet::viz {
void BoxTable::show_boxes(const QuotientGrid& grid, std::vector<std::string> names) {
  beginResetModel();
  boxes_ = grid.boxes();
  names_ = std::move(names);
  elements_ = static_cast<double>(grid.elements());
  order_.resize(boxes_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_partition(order_,
                                [&](std::size_t i) { return boxes_[i].state != State::Equal; });
  endResetModel();
}

int BoxTable::row_of(std::size_t box) const {
  const auto at = std::ranges::find(order_, box);
  return at == order_.end() ? -1 : static_cast<int>(at - order_.begin());
}

int BoxTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(boxes_.size());
}

int BoxTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(names_.size()) + 3;
}

QVariant BoxTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::DisplayRole) return text(boxes_[box_of(index.row())], index.column());
  if (role == kValueRole) return value(boxes_[box_of(index.row())], index.column());
  if (role == Qt::TextAlignmentRole && index.column() > 0)
    return int(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

QString BoxTable::text(const StatedBox& stated, int column) const {
  const auto digit = static_cast<std::size_t>(column) - 1;
  const Dim volume = stated.box.volume();
  if (column == 0) return state_in_words(stated.state);
  if (digit < names_.size())
    return QString::fromStdString(range_in_words(stated.box.low[digit], stated.box.high[digit]));
  if (digit == names_.size()) return QString::fromStdString(grouped(volume));
  return QString::number(100 * static_cast<double>(volume) / elements_, 'f', 2) + " %";
}

// Intervals are half-open.
QVariant BoxTable::value(const StatedBox& stated, int column) const {
  const auto digit = static_cast<std::size_t>(column) - 1;
  const auto number = [](Dim of) { return static_cast<qlonglong>(of); };
  if (column == 0) return {};
  if (digit < names_.size())
    return QVariantList{number(stated.box.low[digit]), number(stated.box.high[digit])};
  if (digit == names_.size()) return number(stated.box.volume());
  return static_cast<double>(stated.box.volume()) / elements_;
}

QVariant BoxTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  const auto digit = static_cast<std::size_t>(section) - 1;
  if (section == 0) return tr("is");
  if (digit < names_.size()) return QString::fromStdString(names_[digit]);
  return digit == names_.size() ? tr("elements") : tr("share");
}

}  // namespace pet::viz
