#include "viz/models/rounds_table.h"

#include <algorithm>

#include "core/util/markup.h"
#include "viz/models/table_text.h"
#include "viz/words/events.h"

namespace pet::viz {

void RoundsTable::show(std::vector<RoundsOfSubprogram> rounds) {
  beginResetModel();
  rounds_ = std::move(rounds);
  rows_.clear();
  for (const RoundsOfSubprogram& column : rounds_)
    for (const auto& round : column.rounds)
      for (const RoundCard& card : round.cards) rows_.push_back({&column, &card});
  endResetModel();
}

std::size_t RoundsTable::mutant(int row) const {
  return rows_[static_cast<std::size_t>(row)].card->mutant;
}

int RoundsTable::row_of(std::size_t mutant) const {
  const auto at = std::ranges::find(rows_, mutant, [](const Row& row) { return row.card->mutant; });
  return at == rows_.end() ? -1 : static_cast<int>(at - rows_.begin());
}

int RoundsTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RoundsTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QString RoundsTable::text(const Row& row, int column) {
  const RoundCard& card = *row.card;
  switch (column) {
    case Subprogram:
      return QString::fromStdString(row.column->title);
    case Round:
      return QString::number(card.lineage.round + 1);
    case Name:
      return QString::fromStdString(name_of(row.column->subprogram, card.lineage.id));
    case Moves:
      return QString::fromStdString(pet::in_words(card.lineage.moves));
    case Estimate:
      return card.estimate_ms ? tr("%1 ms").arg(*card.estimate_ms, 0, 'g', 4) : QString();
    case State:
      return QString::fromStdString(in_words(card));
    case Plan:
      return card.is_chosen ? tr("in the plan") : QString();
    default:
      return {};
  }
}

QVariant RoundsTable::value(const Row& row, int column) {
  if (column == Round) return static_cast<qlonglong>(row.card->lineage.round + 1);
  if (column == Estimate && row.card->estimate_ms) return *row.card->estimate_ms;
  return {};
}

QVariant RoundsTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  if (role == Qt::DisplayRole) return text(row, index.column());
  if (role == Qt::ToolTipRole)
    return QString::fromStdString(escaped(text(row, index.column()).toStdString()));
  if (role == kValueRole) return value(row, index.column());
  if (role == Qt::TextAlignmentRole && index.column() == Estimate)
    return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

QVariant RoundsTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Subprogram:
      return tr("subprogram");
    case Round:
      return tr("round");
    case Name:
      return tr("mutant");
    case Moves:
      return tr("how it came about");
    case Estimate:
      return tr("estimated");
    case State:
      return tr("state");
    case Plan:
      return tr("plan");
    default:
      return {};
  }
}

}  // namespace pet::viz
