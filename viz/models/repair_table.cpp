#include "viz/models/repair_table.h"

#include "viz/words/numbers.h"

namespace pet::viz {

QString role_in_words(CorrectionRole role) {
  switch (role) {
    case CorrectionRole::Mutant:
      return RepairTable::tr("the mutant's own");
    case CorrectionRole::Shared:
      return RepairTable::tr("shared: the mutant's operator computes the wrong boxes along");
    case CorrectionRole::Recomputed:
      return RepairTable::tr("the original's operators, once more for the wrong boxes");
    case CorrectionRole::Gathered:
      return RepairTable::tr("what the wrong boxes read, laid into the shared operator's data");
    case CorrectionRole::Pasted:
      return RepairTable::tr("results taken apart and written over the mutant's");
  }
  return {};
}

void RepairTable::show(const RepairWay* way) {
  beginResetModel();
  rows_.clear();
  if (way != nullptr) {
    Work all;
    for (const RepairPart& part : way->parts) {
      rows_.push_back({role_in_words(part.role), part.work});
      all += part.work;
    }
    rows_.push_back({tr("all of the corrected program"), all});
  }
  endResetModel();
}

int RepairTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RepairTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant RepairTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  if (role == Qt::TextAlignmentRole && index.column() != Part)
    return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  const auto number = [](double value) {
    return QString::fromStdString(grouped(static_cast<Dim>(value)));
  };
  switch (index.column()) {
    case Part:
      return row.part;
    case Operators:
      return number(static_cast<double>(row.work.operators));
    case MultiplyAdds:
      return number(row.work.multiply_adds);
    case Bytes:
      return number(row.work.bytes_read + row.work.bytes_written);
    case Time:
      return tr("%1 ms").arg(analytic_ms(row.work, {}), 0, 'g', 3);
    default:
      return {};
  }
}

QVariant RepairTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Part:
      return tr("part");
    case Operators:
      return tr("launches");
    case MultiplyAdds:
      return tr("multiply-adds");
    case Bytes:
      return tr("bytes moved");
    case Time:
      return tr("modelled");
    default:
      return {};
  }
}

}  // namespace pet::viz
