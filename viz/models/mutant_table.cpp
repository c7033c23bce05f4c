#include "viz/models/mutant_table.h"

#include "viz/words/events.h"

namespace pet::viz {

void MutantTable::show(std::size_t cursor) {
  beginResetModel();
  cursor_ = cursor;
  rows_ = SearchLog::count_at(log_.mutants(), cursor);
  endResetModel();
}

void MutantTable::move_to(std::size_t cursor) {
  const std::size_t rows = SearchLog::count_at(log_.mutants(), cursor);
  if (rows < rows_) return show(cursor);
  cursor_ = cursor;
  if (rows > rows_) {
    beginInsertRows({}, static_cast<int>(rows_), static_cast<int>(rows) - 1);
    rows_ = rows;
    endInsertRows();
  }
  if (rows_ > 0)
    Q_EMIT dataChanged(index(0, State), index(static_cast<int>(rows_) - 1, kColumns - 1));
}

int MutantTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_);
}

int MutantTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

std::optional<double> MutantTable::number(const SearchLog::MutantRow& row, int column) const {
  switch (column) {
    case Name:
      return static_cast<double>(row.lineage.id.value);
    case Round:
      return static_cast<double>(row.lineage.round + 1);
    case Estimate: {
      if (const auto* kept = log_.last_of<CandidateKept>(row, cursor_)) return kept->cost_ms;
      if (const auto* dropped = log_.last_of<CandidateDropped>(row, cursor_))
        return dropped->cost_ms;
      const auto* discarded = log_.last_of<MutantDiscarded>(row, cursor_);
      return discarded == nullptr ? std::nullopt : discarded->cost_ms;
    }
    case WrongShare: {
      const auto* verified = log_.last_of<MutantVerified>(row, cursor_);
      if (verified == nullptr || verified->outcome != pet::Outcome::Partial) return std::nullopt;
      return verified->wrong_share;
    }
    case Ratio: {
      const auto* measured = log_.last_of<CandidateMeasured>(row, cursor_);
      return measured == nullptr ? std::nullopt : std::optional(measured->comparison.ratio.median);
    }
    default:
      return std::nullopt;
  }
}

QString MutantTable::text(const SearchLog::MutantRow& row, int column) const {
  switch (column) {
    case Name:
      return QString::fromStdString(name_of(row.subprogram, row.lineage.id));
    case Moves:
      return QString::fromStdString(pet::in_words(row.lineage.moves));
    case State: {
      const QString fate =
          QString::fromStdString(std::string(to_string(log_.fate_of(row, cursor_))));
      const bool is_sampled = row.in_part && log_.last_of<CandidateKept>(row, cursor_) != nullptr &&
                              log_.last_of<MutantVerified>(row, cursor_) == nullptr;
      return is_sampled ? tr("%1, wrong at some sampled positions").arg(fate) : fate;
    }
    default:
      break;
  }
  const auto value = number(row, column);
  if (!value) return {};
  if (column == Round) return QString::number(*value);
  if (column == WrongShare) return tr("%1 %").arg(100 * *value, 0, 'f', 2);
  if (column == Ratio) return tr("%1x").arg(*value, 0, 'f', 2);
  return tr("%1 ms").arg(*value, 0, 'g', 4);
}

QVariant MutantTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const SearchLog::MutantRow& row = log_.mutants()[static_cast<std::size_t>(index.row())];
  if (role == Qt::DisplayRole) return text(row, index.column());
  if (role == Qt::ToolTipRole) return text(row, index.column()).toHtmlEscaped();
  if (role == Qt::TextAlignmentRole && index.column() >= Estimate)
    return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
  if (role != kSortRole) return {};
  if (index.column() == Name)
    return static_cast<double>(row.subprogram) * 1e9 + row.lineage.id.value;
  if (const auto value = number(row, index.column())) return *value;
  // What has no number stands behind what has one.
  return index.column() >= Estimate || index.column() == Round
             ? QVariant(1e300)
             : QVariant(text(row, index.column()));
}

QVariant MutantTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Name:
      return tr("mutant");
    case Round:
      return tr("round");
    case Moves:
      return tr("how it came about");
    case State:
      return tr("state");
    case Estimate:
      return tr("estimated");
    case WrongShare:
      return tr("wrong");
    case Ratio:
      return tr("times as fast");
    default:
      return {};
  }
}

}  // namespace pet::viz
