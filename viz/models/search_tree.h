// The trees that a search walked for one subprogram, up to a cursor of its log: nodes with their
// programs and the nodes that moves lead to. Rows appear as the cursor moves on and go as it moves
// back.
#pragma once

#include <QAbstractItemModel>

#include "viz/session/search_log.h"

namespace pet::viz {

class SearchTree final : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { What, Outcome, Tested, Mutant, kColumns };

  // REQUIRES: the log outlives this, and is shown again (show) once it was cleared
  explicit SearchTree(const SearchLog& log, QObject* parent = nullptr)
      : QAbstractItemModel(parent), log_(log) {}

  void show(std::size_t subprogram, std::size_t cursor);
  void move_to(std::size_t cursor);  // of the same subprogram
  std::size_t subprogram() const { return subprogram_; }

  // Rows of the log.
  std::size_t node_of(const QModelIndex& index) const { return index.internalId(); }
  QModelIndex index_of(std::size_t node) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  const std::vector<std::size_t>& below(const QModelIndex& parent) const;
  QString text(std::size_t node, int column) const;

  const SearchLog& log_;
  std::size_t subprogram_ = 0;
  std::size_t cursor_ = 0;
  std::size_t nodes_ = 0;  // rows of the log that are there
};

}  // namespace pet::viz
