#include "viz/models/table_text.h"

#include <QStandardItemModel>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace pet::viz {
namespace {

TEST_CASE("A table as CSV: quotes where they are needed, and no cell becomes a formula") {
  QStandardItemModel table(2, 2);
  table.setHorizontalHeaderLabels({"name", "a, b"});
  table.setItem(0, 0, new QStandardItem("=1+1"));
  table.setItem(0, 1, new QStandardItem("-2.5"));
  table.setItem(1, 0, new QStandardItem("say \"x\"\nand"));
  table.setItem(1, 1, new QStandardItem("plain"));
  CHECK(to_csv(table) == "name,\"a, b\"\r\n'=1+1,-2.5\r\n\"say \"\"x\"\"\nand\",plain\r\n");
}

TEST_CASE("Rows of a tree say how deep they stand, from top to bottom") {
  QStandardItemModel tree;
  tree.setHorizontalHeaderLabels({"node"});
  auto* first = new QStandardItem("first");
  first->appendRow(new QStandardItem("below"));
  tree.appendRow(first);
  tree.appendRow(new QStandardItem("second"));
  CHECK(to_csv(tree) == "depth,node\r\n0,first\r\n1,below\r\n0,second\r\n");
}

TEST_CASE("A table as JSON: numbers and intervals are such") {
  QStandardItemModel table(1, 3);
  table.setHorizontalHeaderLabels({"is", "w", "elements"});
  for (int column = 0; column < 3; ++column) table.setItem(0, column, new QStandardItem("text"));
  table.item(0, 1)->setData(QVariantList{qlonglong(3), qlonglong(7)}, kValueRole);
  table.item(0, 2)->setData(qlonglong(4), kValueRole);
  CHECK(to_csv(table) == "is,w,elements\r\ntext,text,4\r\n");
  CHECK(to_json(table).dump() == R"({"columns":["is","w","elements"],"rows":[["text",[3,7],4]]})");
}

}  // namespace
}  // namespace pet::viz
