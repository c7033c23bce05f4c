// The comparisons of a stored profile as a table, a comparison a line.
#pragma once

#include "viz/geometry/stored_chart.h"
#include "viz/models/text_table.h"

namespace pet::viz {

// In the order of the chart.
void show_comparisons(TextTable& table, const StoredProfile& profile, const StoredChart& chart);

}  // namespace pet::viz
