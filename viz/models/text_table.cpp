#include "viz/models/text_table.h"

#include "viz/models/table_text.h"

namespace pet::viz {

void TextTable::show(QStringList titles, std::vector<Row> rows) {
  beginResetModel();
  titles_ = std::move(titles);
  rows_ = std::move(rows);
  endResetModel();
}

int TextTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int TextTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(titles_.size());
}

QVariant TextTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Cell& cell =
      rows_[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
  if (role == Qt::DisplayRole) return cell.text;
  if (role == Qt::ToolTipRole)
    return "<p style='white-space:pre-wrap'>" + cell.text.toHtmlEscaped() + "</p>";
  if (role == kValueRole && cell.number) return *cell.number;
  if (role == Qt::TextAlignmentRole && cell.number)
    return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

QVariant TextTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  return section < titles_.size() ? titles_[section] : QString();
}

}  // namespace pet::viz
