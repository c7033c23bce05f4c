// The boxes of a value and what it is in each, as a table.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "viz/geometry/summation.h"

namespace pet::viz {

class SummationTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  // `states`: by box, or none; `names` of the digits. A row is a box, in their order.
  void show_summation(const Summation& summation, std::vector<State> states,
                      std::vector<std::string> names);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  // Columns after those of the digits.
  enum class Fact { Elements, State, OriginalInterval, OriginalTaps, MutantInterval, MutantTaps };
  QString text(const SummedBox& box, Fact fact, std::size_t row) const;
  std::vector<QString> of_sums(const SummedBox& box, bool of_original, bool is_interval) const;

  Summation summation_;
  std::vector<State> states_;
  std::vector<std::string> names_;
  std::vector<Fact> facts_;
  bool has_both_ = false;
};

}  // namespace pet::viz
