// What the parts of a corrected program have to do, a row each; the last one is the whole.
#pragma once

#include <QAbstractTableModel>

#include "viz/session/repair.h"

namespace pet::viz {

class RepairTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Part, Operators, MultiplyAdds, Bytes, Time, kColumns };
  using QAbstractTableModel::QAbstractTableModel;

  void show(const RepairWay* way);  // nullptr: nothing

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    QString part;
    Work work;
  };
  std::vector<Row> rows_;
};

// What a role means, in a few words.
QString role_in_words(CorrectionRole role);

}  // namespace pet::viz
