// A table of words, where nothing but words is asked of it.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

namespace pet::viz {

class TextTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  struct Cell {
    QString text;
    std::optional<double> number = {};  // behind it: stands to the right
  };
  using Row = std::vector<Cell>;

  using QAbstractTableModel::QAbstractTableModel;

  // REQUIRES: a cell for each title
  void show(QStringList titles, std::vector<Row> rows);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QStringList titles_;
  std::vector<Row> rows_;
};

}  // namespace pet::viz
