// The boxes of an output as a table: what a picture of them shows, for those who read or hear it.
#pragma once

#include <QAbstractTableModel>
#include <string>
#include <vector>

#include "viz/geometry/quotient_grid.h"

namespace pet::viz {

class BoxTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  // Boxes that are not equal come first, in their order; `names` of the digits.
  void show_boxes(const QuotientGrid& grid, std::vector<std::string> names);
  std::size_t box_of(int row) const { return order_[static_cast<std::size_t>(row)]; }
  int row_of(std::size_t box) const;  // -1: not there

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString text(const StatedBox& stated, int column) const;
  QVariant value(const StatedBox& stated, int column) const;

  std::vector<StatedBox> boxes_;
  std::vector<std::size_t> order_;
  std::vector<std::string> names_;
  double elements_ = 0;
};

}  // namespace pet::viz
