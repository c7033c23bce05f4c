// All that a search told, an entry a row; the numbers of those that the cursor
// has not come to stand in brackets.
#pragma once

#include <QAbstractTableModel>

#include "viz/session/search_log.h"

namespace pet::viz {

class EventTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Number, Seconds, About, What, kColumns };

  // REQUIRES: the log outlives this
  explicit EventTable(const SearchLog& log, QObject* parent = nullptr)
      : QAbstractTableModel(parent), log_(log) {}

  void show();  // the log is another one
  void grow();
  void move_to(std::size_t cursor);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString text(std::size_t entry, int column) const;

  const SearchLog& log_;
  std::size_t cursor_ = 0;
  std::size_t rows_ = 0;
};

}  // namespace pet::viz
