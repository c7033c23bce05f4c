// Times as a table, a bar a line: what the picture of them shows, for those who read or hear it,
// and all of it where the picture is cut.
#pragma once

#include <QAbstractTableModel>

#include "viz/geometry/bars.h"

namespace pet::viz {

class ProfileTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  void show_chart(BarChart chart);
  BarPlace place_of(int row) const { return lines_[static_cast<std::size_t>(row)].place; }
  int row_of(const BarPlace& place) const;  // its first line; -1: not there

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Line {
    BarPlace place;
    std::size_t series = 0;
  };
  QString text(const Line& line, int column) const;

  BarChart chart_;
  std::vector<Line> lines_;
};

}  // namespace pet::viz
