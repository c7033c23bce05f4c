#include "viz/models/table_text.h"

#include <QVariantList>
#include <nlohmann/json.hpp>
#include <vector>

namespace pet::viz {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
  QModelIndex first;
  int depth = 0;
};

// From top to bottom, as if everything were open. Trees of a search are deep: no recursion.
std::vector<Row> rows_of(const QAbstractItemModel& table) {
  std::vector<Row> out, open;
  const auto add_below = [&](const QModelIndex& parent, int depth) {
    for (int row = table.rowCount(parent) - 1; row >= 0; --row)
      open.push_back({table.index(row, 0, parent), depth});
  };
  add_below({}, 0);
  while (!open.empty()) {
    const Row now = open.back();
    open.pop_back();
    out.push_back(now);
    add_below(now.first, now.depth + 1);
  }
  return out;
}

bool is_tree(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    if (row.depth > 0) return true;
  return false;
}

QString title(const QAbstractItemModel& table, int column) {
  return table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
}

QVariant cell(const QAbstractItemModel& table, const Row& row, int column, int role) {
  return table.data(row.first.siblingAtColumn(column), role);
}

// A number as such, not as people group its digits.
QString plain(const QAbstractItemModel& table, const Row& row, int column) {
  const QVariant value = cell(table, row, column, kValueRole);
  const bool is_number = value.isValid() && value.typeId() != QMetaType::QVariantList;
  return is_number ? value.toString() : cell(table, row, column, Qt::DisplayRole).toString();
}

QString quoted(QString text) {
  bool is_number = false;
  text.toDouble(&is_number);
  if (!is_number && !text.isEmpty() && QString("=+-@\t\r").contains(text[0])) text.prepend('\'');
  if (!text.contains('"') && !text.contains(',') && !text.contains('\n') && !text.contains('\r'))
    return text;
  return '"' + text.replace("\"", "\"\"") + '"';
}

Json value_of(const QVariant& value) {
  switch (value.typeId()) {
    case QMetaType::Int:
    case QMetaType::LongLong:
      return value.toLongLong();
    case QMetaType::Double:
      return value.toDouble();
    case QMetaType::QVariantList: {
      Json out = Json::array();
      for (const QVariant& part : value.toList()) out.push_back(part.toLongLong());
      return out;
    }
    default:
      return value.toString().toStdString();
  }
}

}  // namespace

std::string to_csv(const QAbstractItemModel& table) {
  const std::vector<Row> rows = rows_of(table);
  const bool tree = is_tree(rows);
  QString out = tree ? "depth," : "";
  const auto line = [&](const auto& text_of) {
    for (int column = 0; column < table.columnCount(); ++column) {
      if (column > 0) out += ',';
      out += quoted(text_of(column));
    }
    out += "\r\n";
  };
  line([&](int column) { return title(table, column); });
  for (const Row& row : rows) {
    if (tree) out += QString::number(row.depth) + ',';
    line([&](int column) { return plain(table, row, column); });
  }
  return out.toStdString();
}

Json to_json(const QAbstractItemModel& table) {
  const std::vector<Row> rows = rows_of(table);
  const bool tree = is_tree(rows);
  Json columns = Json::array(), lines = Json::array();
  if (tree) columns.push_back("depth");
  for (int column = 0; column < table.columnCount(); ++column)
    columns.push_back(title(table, column).toStdString());
  for (const Row& row : rows) {
    Json line = Json::array();
    if (tree) line.push_back(row.depth);
    for (int column = 0; column < table.columnCount(); ++column) {
      const QVariant value = cell(table, row, column, kValueRole);
      line.push_back(value_of(value.isValid() ? value : cell(table, row, column, Qt::DisplayRole)));
    }
    lines.push_back(std::move(line));
  }
  return {{"columns", std::move(columns)}, {"rows", std::move(lines)}};
}

}  // namespace pet::viz
