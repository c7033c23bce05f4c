// The passes that tidied up a program, in their order, a row each time one was run on something.
#pragma once

#include <QAbstractTableModel>

#include "viz/words/side_by_side.h"

namespace pet::viz {

// A pass, and what it changed.
struct PassRow {
  std::string pass;
  std::string where;                          // "whole program", "new part 2"
  std::shared_ptr<const SideBySide> changed;  // null: nothing
};

class PassTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Pass, Where, Changed, kColumns };
  using QAbstractTableModel::QAbstractTableModel;

  void show(std::vector<PassRow> rows);
  const std::vector<PassRow>& rows() const { return rows_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<PassRow> rows_;
};

}  // namespace pet::viz
