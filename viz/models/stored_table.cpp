#include "viz/models/stored_table.h"

#include "core/ir/structure.h"
#include "core/util/median.h"
#include "core/util/printable.h"
#include "viz/geometry/profile_chart.h"

namespace pet::viz {
namespace {

QString text_of(const std::string& words) { return QString::fromStdString(words); }

TextTable::Cell time_of(const std::vector<double>& ms) {
  const double it = median(ms);
  return {text_of(ms_in_words(it)), it};
}

TextTable::Row row_of(const StoredComparison& line) {
  const Comparison& it = line.comparison;
  return {{text_of(printable(structure_in_short(line.programs.original)))},
          {text_of(printable(structure_in_short(line.programs.candidate)))},
          {QString::number(it.ratio.median, 'f', 3), it.ratio.median},
          {TextTable::tr("%1 to %2").arg(it.ratio.low, 0, 'f', 3).arg(it.ratio.high, 0, 'f', 3)},
          {text_of(std::string(in_words(it.decision)))},
          time_of(it.timing.a_ms),
          time_of(it.timing.b_ms),
          {QString::number(it.timing.a_ms.size()), static_cast<double>(it.timing.a_ms.size())},
          {text_of(printable(line.date))},
          {text_of(printable(line.rule))},
          {text_of(printable(line.by.version))}};
}

}  // namespace

void show_comparisons(TextTable& table, const StoredProfile& profile, const StoredChart& chart) {
  std::vector<TextTable::Row> rows;
  for (const std::size_t line : chart.lines) rows.push_back(row_of(profile.lines()[line]));
  table.show({TextTable::tr("original"), TextTable::tr("candidate"), TextTable::tr("times as fast"),
              TextTable::tr("bounds"), TextTable::tr("decision"), TextTable::tr("original takes"),
              TextTable::tr("candidate takes"), TextTable::tr("rounds"), TextTable::tr("date"),
              TextTable::tr("decided by"), TextTable::tr("version")},
             std::move(rows));
}

}  // namespace pet::viz
