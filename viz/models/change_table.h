// The places at which two programs differ, a row each.
#pragma once

#include <QAbstractTableModel>

#include "viz/words/side_by_side.h"

namespace pet::viz {

class ChangeTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { What, Here, There, Known, Yields, kColumns };
  using QAbstractTableModel::QAbstractTableModel;

  void show(const SideBySide* comparison);  // nullptr: nothing

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString here_, there_;  // what both programs are called
  std::vector<ChangeWords> rows_;
};

}  // namespace pet::viz
