// The verdicts of several checks beside each other: a row for each output of a pair, what should
// not be first.
#pragma once

#include <QAbstractTableModel>

#include "viz/session/cross_checks.h"

namespace pet::viz {

class VerdictTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    MutantColumn,
    OutputColumn,
    FirstEngineColumn,
    AgreementColumn = FirstEngineColumn + static_cast<int>(kCrossEngines.size()),
    SizesColumn,
    TimeColumn,
    kColumns
  };
  // Whoever paints asks for these: bool, and int of Said (of cells of engines).
  static constexpr int kIsAlarm = Qt::UserRole;
  static constexpr int kIsFlagged = Qt::UserRole + 1;  // a planted error that was noticed
  static constexpr int kSaid = Qt::UserRole + 2;

  using QAbstractTableModel::QAbstractTableModel;

  struct Row {
    std::size_t pair = 0;
    std::size_t output = 0;
    bool operator==(const Row&) const = default;
  };
  // REQUIRES: it outlives this
  void show(const CrossChecks& checks);
  void refresh();  // something was told or added
  const Row& row(int number) const { return rows_[static_cast<std::size_t>(number)]; }
  int number_of(const Row& row) const;  // -1: not there

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString text(const Row& row, int column) const;
  std::vector<Row> in_order() const;
  void append_new();
  void sort();

  const CrossChecks* checks_ = nullptr;
  std::vector<Row> rows_;
  std::size_t pairs_ = 0;  // that have rows
};

}  // namespace pet::viz
