#include "viz/models/pass_table.h"

namespace pet::viz {

void PassTable::show(std::vector<PassRow> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

int PassTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int PassTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant PassTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || role != Qt::DisplayRole) return {};
  const PassRow& row = rows_[static_cast<std::size_t>(index.row())];
  switch (index.column()) {
    case Pass:
      return QString::fromStdString(row.pass);
    case Where:
      return QString::fromStdString(row.where);
    case Changed:
      return row.changed ? QString::fromStdString(headline_of(*row.changed))
                         : tr("changed nothing");
    default:
      return {};
  }
}

QVariant PassTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  switch (section) {
    case Pass:
      return tr("pass");
    case Where:
      return tr("where");
    case Changed:
      return tr("what it changed");
    default:
      return {};
  }
}

}  // namespace pet::viz
