#include "viz/models/change_table.h"

#include "core/util/markup.h"

namespace pet::viz {

void ChangeTable::show(const SideBySide* comparison) {
  beginResetModel();
  rows_.clear();
  if (comparison != nullptr) {
    rows_ = words_of(*comparison);
    here_ = QString::fromStdString(comparison->here.name);
    there_ = QString::fromStdString(comparison->there.name);
  }
  endResetModel();
}

int ChangeTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ChangeTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant ChangeTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
  const ChangeWords& row = rows_[static_cast<std::size_t>(index.row())];
  const auto text = [&](const std::string& words) {
    return QString::fromStdString(role == Qt::DisplayRole ? words
                                                          : "<p style='white-space:pre-wrap'>" +
                                                                escaped(words) + "</p>");
  };
  switch (index.column()) {
    case What:
      return text(row.what);
    case Here:
      return text(row.here);
    case There:
      return text(row.there);
    case Yields:
      return text(row.yields);
    case Known:
      return text(row.known);
    default:
      return {};
  }
}

QVariant ChangeTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  switch (section) {
    case What:
      return tr("what");
    case Here:
      return here_;
    case There:
      return there_;
    case Yields:
      return tr("yields");
    case Known:
      return tr("what is known");
    default:
      return {};
  }
}

}  // namespace pet::viz
