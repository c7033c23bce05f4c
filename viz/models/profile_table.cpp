#include "viz/models/profile_table.h"

#include <algorithm>

namespace pet::viz {
namespace {

enum Column { kWhat, kProgram, kTime, kBounds, kShare, kCalls, kSamples, kSource, kNote, kColumns };

QString text_of(const std::string& words) { return QString::fromStdString(words); }

QString source_of(const Bar& bar) {
  const std::string words(in_words(bar.source));
  return bar.source == Source::Missing ? text_of(words + ": " + bar.why) : text_of(words);
}

// Of a bar that has a number.
QString number_of(const Bar& bar, int column) {
  switch (column) {
    case kTime:
      return text_of(ms_in_words(bar.ms));
    case kBounds:
      return bar.bounds ? ProfileTable::tr("%1 to %2")
                              .arg(bar.bounds->low, 0, 'g', 4)
                              .arg(bar.bounds->high, 0, 'g', 4)
                        : QString();
    case kShare:
      return bar.share ? QString::number(100 * *bar.share, 'f', 1) + " %" : QString();
    case kCalls:
      return bar.calls > 0 ? QString::number(bar.calls) : QString();
    case kSamples:
      return bar.samples > 0 ? QString::number(bar.samples) : QString();
    default:
      return {};
  }
}

}  // namespace

void ProfileTable::show_chart(BarChart chart) {
  beginResetModel();
  chart_ = std::move(chart);
  lines_.clear();
  for (std::size_t g = 0; g < chart_.groups.size(); ++g) {
    for (std::size_t r = 0; r < chart_.groups[g].rows.size(); ++r) {
      for (std::size_t s = 0; s < chart_.groups[g].rows[r].bars.size(); ++s)
        lines_.push_back({{g, r}, s});
    }
  }
  endResetModel();
}

int ProfileTable::row_of(const BarPlace& place) const {
  const auto at = std::ranges::find(lines_, place, &Line::place);
  return at == lines_.end() ? -1 : static_cast<int>(at - lines_.begin());
}

int ProfileTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int ProfileTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant ProfileTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::DisplayRole)
    return text(lines_[static_cast<std::size_t>(index.row())], index.column());
  if (role == Qt::TextAlignmentRole && index.column() >= kTime && index.column() <= kSamples)
    return int(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

QString ProfileTable::text(const Line& line, int column) const {
  const BarRow& row = chart_.groups[line.place.group].rows[line.place.row];
  const Bar& bar = row.bars[line.series];
  if (column == kWhat) return text_of(row.label);
  if (column == kProgram) return text_of(chart_.series[line.series]);
  if (column == kSource) return source_of(bar);
  if (column == kNote) return text_of(row.note);
  const bool has_number = bar.source != Source::Missing && bar.source != Source::None;
  return has_number ? number_of(bar, column) : QString();
}

QVariant ProfileTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  switch (section) {
    case kWhat:
      return tr("what");
    case kProgram:
      return tr("program");
    case kTime:
      return tr("time");
    case kBounds:
      return tr("bounds, ms");
    case kShare:
      return tr("share");
    case kCalls:
      return tr("calls");
    case kSamples:
      return tr("samples");
    case kSource:
      return tr("is");
    case kNote:
      return tr("note");
    default:
      return {};
  }
}

}  // namespace pet::viz
