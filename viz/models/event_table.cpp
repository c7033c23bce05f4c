#include "viz/models/event_table.h"

#include "viz/words/events.h"

namespace pet::viz {

void EventTable::show() {
  beginResetModel();
  rows_ = log_.size();
  endResetModel();
}

void EventTable::grow() {
  if (log_.size() == rows_) return;
  beginInsertRows({}, static_cast<int>(rows_), static_cast<int>(log_.size()) - 1);
  rows_ = log_.size();
  endInsertRows();
}

void EventTable::move_to(std::size_t cursor) {
  cursor_ = cursor;
  if (rows_ > 0) Q_EMIT dataChanged(index(0, Number), index(static_cast<int>(rows_) - 1, Number));
}

int EventTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_);
}

int EventTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QString EventTable::text(std::size_t number, int column) const {
  const LogEntry& entry = log_.entry(number);
  const auto* event = std::get_if<Event>(&entry.what);
  switch (column) {
    case Number:
      return number < cursor_ ? QString::number(number + 1) : tr("(%1)").arg(number + 1);
    case Seconds:
      return QString::number(entry.seconds, 'f', 2);
    case About: {
      if (event == nullptr) return QString("S%1").arg(std::get<TracedNode>(entry.what).subprogram);
      const auto about = of_mutant(*event);
      return about ? QString::fromStdString(name_of(about->subprogram, about->mutant)) : QString();
    }
    case What: {
      if (event != nullptr) return QString::fromStdString(in_words(*event));
      const TraceNode& node = std::get<TracedNode>(entry.what).node;
      return (node.is_program ? tr("program: %1") : tr("node: %1"))
          .arg(QString::fromStdString(in_words(node)));
    }
    default:
      return {};
  }
}

QVariant EventTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto number = static_cast<std::size_t>(index.row());
  if (role == Qt::DisplayRole) return text(number, index.column());
  if (role == Qt::ToolTipRole) return text(number, index.column()).toHtmlEscaped();
  return {};
}

QVariant EventTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Number:
      return tr("#");
    case Seconds:
      return tr("seconds");
    case About:
      return tr("of");
    case What:
      return tr("what happened");
    default:
      return {};
  }
}

}  // namespace pet::viz
