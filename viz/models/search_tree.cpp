#include "viz/models/search_tree.h"

#include <algorithm>

#include "viz/words/events.h"

namespace pet::viz {
namespace {

// So many rows are told one by one; else all is new.
constexpr std::size_t kMostAtOnce = 256;

// Its kind by a shape, for those who do not see the words of the next column.
QString sign_of(const TraceNode& node) {
  if (!node.pruned) return node.is_program ? QStringLiteral("◆ ") : QStringLiteral("○ ");
  switch (*node.pruned) {
    case Pruned::SeenNode:
    case Pruned::SeenProgram:
      return QStringLiteral("◌ ");
    case Pruned::Depth:
      return QStringLiteral("▽ ");
    case Pruned::Misfit:
    case Pruned::Fingerprint:
      return QStringLiteral("■ ");
  }
  return {};
}

}  // namespace

void SearchTree::show(std::size_t subprogram, std::size_t cursor) {
  beginResetModel();
  subprogram_ = subprogram;
  cursor_ = cursor;
  nodes_ = SearchLog::count_at(log_.nodes(), cursor);
  endResetModel();
}

void SearchTree::move_to(std::size_t cursor) {
  const std::size_t nodes = SearchLog::count_at(log_.nodes(), cursor);
  if (nodes < nodes_ || nodes - nodes_ > kMostAtOnce) return show(subprogram_, cursor);
  cursor_ = cursor;
  while (nodes_ < nodes) {
    const SearchLog::NodeRow& row = log_.nodes()[nodes_];
    if (row.subprogram != subprogram_) {
      ++nodes_;
      continue;
    }
    const auto place = static_cast<int>(row.place);
    beginInsertRows(row.parent ? index_of(*row.parent) : QModelIndex(), place, place);
    ++nodes_;
    endInsertRows();
  }
}

const std::vector<std::size_t>& SearchTree::below(const QModelIndex& parent) const {
  return parent.isValid() ? log_.nodes()[node_of(parent)].children : log_.roots(subprogram_);
}

QModelIndex SearchTree::index_of(std::size_t node) const {
  return createIndex(static_cast<int>(log_.nodes()[node].place), 0, node);
}

QModelIndex SearchTree::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, below(parent)[static_cast<std::size_t>(row)]);
}

QModelIndex SearchTree::parent(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const auto& above = log_.nodes()[node_of(index)].parent;
  return above ? index_of(*above) : QModelIndex();
}

int SearchTree::rowCount(const QModelIndex& parent) const {
  if (parent.column() > 0) return 0;
  const auto& rows = below(parent);
  return static_cast<int>(std::ranges::lower_bound(rows, nodes_) - rows.begin());
}

int SearchTree::columnCount(const QModelIndex& /*parent*/) const { return kColumns; }

QString SearchTree::text(std::size_t number, int column) const {
  const SearchLog::NodeRow& row = log_.nodes()[number];
  const auto* mutant = row.mutant && log_.mutants()[*row.mutant].since < cursor_
                           ? &log_.mutants()[*row.mutant]
                           : nullptr;
  switch (column) {
    case What: {
      TraceNode done = row.node;
      done.pruned.reset();
      return sign_of(row.node) + QString::fromStdString(in_words(done));
    }
    case Outcome:
      if (row.node.pruned)
        return QString::fromStdString(std::string(pet::to_string(*row.node.pruned)));
      if (mutant != nullptr)
        return QString::fromStdString(std::string(to_string(log_.fate_of(*mutant, cursor_))));
      return row.node.is_program ? tr("a mutant, not looked at yet") : QString();
    case Tested:
      return row.node.tested == 0 ? QString() : QString::number(row.node.tested);
    case Mutant:
      return mutant == nullptr
                 ? QString()
                 : QString::fromStdString(name_of(mutant->subprogram, mutant->lineage.id));
    default:
      return {};
  }
}

QVariant SearchTree::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
  const QString words = text(node_of(index), index.column());
  // Names may come from a file: a tooltip is never markup.
  return role == Qt::ToolTipRole ? words.toHtmlEscaped() : words;
}

QVariant SearchTree::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case What:
      return tr("what was done");
    case Outcome:
      return tr("what came of it");
    case Tested:
      return tr("positions tested");
    case Mutant:
      return tr("mutant");
    default:
      return {};
  }
}

}  // namespace pet::viz
