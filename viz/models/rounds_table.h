// The cards of the rounds as a table, a mutant a row: all of them, also where the picture is cut.
#pragma once

#include <QAbstractTableModel>

#include "viz/session/rounds.h"

namespace pet::viz {

class RoundsTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Subprogram, Round, Name, Moves, Estimate, State, Plan, kColumns };

  using QAbstractTableModel::QAbstractTableModel;

  void show(std::vector<RoundsOfSubprogram> rounds);
  const std::vector<RoundsOfSubprogram>& rounds() const { return rounds_; }
  std::size_t mutant(int row) const;     // a row of the log
  int row_of(std::size_t mutant) const;  // -1: it is not there

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    const RoundsOfSubprogram* column = nullptr;
    const RoundCard* card = nullptr;
  };
  static QString text(const Row& row, int column);
  static QVariant value(const Row& row, int column);

  std::vector<RoundsOfSubprogram> rounds_;
  std::vector<Row> rows_;
};

}  // namespace pet::viz
