// What a table shows, as text that other programs read.
#pragma once

#include <QAbstractItemModel>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace pet::viz {

// What stands behind the text of a cell, where it is a number, or an interval: a list of two.
inline constexpr int kValueRole = Qt::UserRole + 100;

// A row a line under a line of titles (RFC 4180). Rows of a tree say how deep they stand in a first
// column. Names come from files: no cell becomes a formula in a program that computes tables.
std::string to_csv(const QAbstractItemModel& table);

// {"columns": [title], "rows": [[cell]]}: numbers and intervals as such, everything else as text.
nlohmann::ordered_json to_json(const QAbstractItemModel& table);

}  // namespace pet::viz
