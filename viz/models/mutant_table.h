// The mutants of a search up to a cursor of its log, a row each.
#pragma once

#include <QAbstractTableModel>

#include "viz/session/search_log.h"

namespace pet::viz {

class MutantTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, Round, Moves, State, Estimate, WrongShare, Ratio, kColumns };
  // By which rows are sorted, as numbers where a column has numbers.
  static constexpr int kSortRole = Qt::UserRole;

  // REQUIRES: the log outlives this
  explicit MutantTable(const SearchLog& log, QObject* parent = nullptr)
      : QAbstractTableModel(parent), log_(log) {}

  void show(std::size_t cursor);     // the log is another one
  void move_to(std::size_t cursor);  // of the same log

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString text(const SearchLog::MutantRow& row, int column) const;
  std::optional<double> number(const SearchLog::MutantRow& row, int column) const;

  const SearchLog& log_;
  std::size_t cursor_ = 0;
  std::size_t rows_ = 0;
};

}  // namespace pet::viz
