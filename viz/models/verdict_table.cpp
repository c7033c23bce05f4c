#include "viz/models/verdict_table.h"

#include <algorithm>

#include "core/util/markup.h"
#include "viz/words/verdicts.h"

namespace pet::viz {
namespace {

std::size_t outputs_of(const CheckedPair& pair) { return pair.original->outputs().size(); }

// What needs somebody's attention first.
int rank_of(const CheckedPair& pair, std::size_t output) {
  if (is_alarm(pair, output)) return 0;
  const auto agreed = pair.judged.agreed[output].what;
  return agreed == Agreement::Partial || agreed == Agreement::Undecided ? 1 : 2;
}

std::string name_of(const CheckedPair& pair) {
  return pair.planted.empty() ? pair.name : "planted: " + pair.planted + " (" + pair.name + ")";
}

VerdictCell cell_of(const CheckedPair& pair, int column, std::size_t output) {
  const auto engine = static_cast<std::size_t>(column - VerdictTable::FirstEngineColumn);
  if (engine >= kCrossEngines.size()) return {};
  VerdictCell out = verdict_cell(pair.judged.check, kCrossEngines[engine], output);
  if (out.said == Said::NotAsked && pair.is_wanted) out.text = out.spoken = "…";
  return out;
}

bool is_of_engine(int column) {
  return column >= VerdictTable::FirstEngineColumn && column < VerdictTable::AgreementColumn;
}

std::string agreement_in_words(const CheckedPair& pair, std::size_t output) {
  const std::string agreed = in_words(pair.judged.agreed[output].what);
  if (pair.planted.empty()) return agreed;
  const std::string became = in_words(pair.judged.became);
  return became.empty() ? agreed : became + ", " + agreed;
}

}  // namespace

void VerdictTable::show(const CrossChecks& checks) {
  beginResetModel();
  checks_ = &checks;
  rows_.clear();
  pairs_ = 0;
  endResetModel();
  refresh();
}

void VerdictTable::refresh() {
  append_new();
  sort();
  if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void VerdictTable::append_new() {
  std::vector<Row> fresh;
  for (; pairs_ < checks_->pairs().size(); ++pairs_)
    for (std::size_t i = 0; i < outputs_of(checks_->pairs()[pairs_]); ++i)
      fresh.push_back({pairs_, i});
  if (fresh.empty()) return;
  beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(fresh.size()) - 1);
  rows_.insert(rows_.end(), fresh.begin(), fresh.end());
  endInsertRows();
}

std::vector<VerdictTable::Row> VerdictTable::in_order() const {
  std::vector<Row> out = rows_;
  std::ranges::sort(out, {}, [this](const Row& row) {
    return std::tuple(rank_of(checks_->pairs()[row.pair], row.output), row.pair, row.output);
  });
  return out;
}

// Who has chosen a row keeps it.
void VerdictTable::sort() {
  std::vector<Row> sorted = in_order();
  if (sorted == rows_) return;
  Q_EMIT layoutAboutToBeChanged();
  const QModelIndexList before = persistentIndexList();
  std::vector<Row> kept;
  for (const QModelIndex& one : before) kept.push_back(row(one.row()));
  rows_ = std::move(sorted);
  QModelIndexList after;
  for (int i = 0; i < before.size(); ++i)
    after.push_back(index(number_of(kept[static_cast<std::size_t>(i)]), before[i].column()));
  changePersistentIndexList(before, after);
  Q_EMIT layoutChanged();
}

int VerdictTable::number_of(const Row& row) const {
  const auto at = std::ranges::find(rows_, row);
  return at == rows_.end() ? -1 : static_cast<int>(at - rows_.begin());
}

int VerdictTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int VerdictTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant VerdictTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& at = row(index.row());
  const CheckedPair& pair = checks_->pairs()[at.pair];
  switch (role) {
    case Qt::DisplayRole:
      return text(at, index.column());
    case Qt::ToolTipRole:
      return QString::fromStdString(
          "<p style='white-space:pre'>" +
          escaped(name_of(pair) + "\n" +
                  details_in_words(pair.judged.check, pair.judged.agreed[at.output], at.output)) +
          "</p>");
    case kIsAlarm:
      return is_alarm(pair, at.output);
    case kIsFlagged:
      return !pair.planted.empty() && pair.judged.became == PlantedError::Flagged;
    case kSaid:
      if (!is_of_engine(index.column())) return {};
      return static_cast<int>(cell_of(pair, index.column(), at.output).said);
    case Qt::AccessibleTextRole:
      if (!is_of_engine(index.column())) return text(at, index.column());
      return QString::fromStdString(cell_of(pair, index.column(), at.output).spoken);
    default:
      return {};
  }
}

QString VerdictTable::text(const Row& at, int column) const {
  const CheckedPair& pair = checks_->pairs()[at.pair];
  const auto words = [&]() -> std::string {
    switch (column) {
      case MutantColumn:
        return name_of(pair);
      case OutputColumn:
        return pair.original->node(pair.original->outputs()[at.output]).name;
      case AgreementColumn:
        return agreement_in_words(pair, at.output);
      case SizesColumn:
        return sizes_in_words(*pair.original, pair.judged.check, at.output);
      case TimeColumn:
        return times_in_words(pair.judged.check);
      default:
        return cell_of(pair, column, at.output).text;
    }
  };
  return QString::fromStdString(words());
}

QVariant VerdictTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role == Qt::ToolTipRole && orientation == Qt::Horizontal && is_of_engine(section))
    return tr(
        "✔ equal everywhere · ✘ so many elements are wrong, of so many · ? not known. (twin): "
        "at smaller sizes");
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  if (is_of_engine(section)) {
    const auto title =
        title_of(kCrossEngines[static_cast<std::size_t>(section - FirstEngineColumn)]);
    return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
  }
  switch (section) {
    case MutantColumn:
      return tr("mutant");
    case OutputColumn:
      return tr("output");
    case AgreementColumn:
      return tr("agreement");
    case SizesColumn:
      return tr("sizes");
    default:
      return tr("time");
  }
}

}  // namespace pet::viz
