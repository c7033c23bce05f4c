#include <QAbstractItemModelTester>
#include <QApplication>
#include <QTableView>
#include <QTreeView>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/util/rng.h"
#include "tests/viz/session/a_search.h"
#include "viz/models/event_table.h"
#include "viz/models/mutant_table.h"
#include "viz/models/search_tree.h"
#include "viz/views/mutants_page.h"
#include "viz/views/search_page.h"
#include "viz/views/timeline.h"

namespace pet::viz {
namespace {

using Tester = QAbstractItemModelTester;

SearchLog whole() {
  SearchLog out;
  for (const LogEntry& entry : a_search()) out.add(entry);
  return out;
}

int rows_below(const QAbstractItemModel& model, const QModelIndex& parent = {}) {
  int out = model.rowCount(parent);
  for (int i = 0, n = out; i < n; ++i) out += rows_below(model, model.index(i, 0, parent));
  return out;
}

TEST_CASE("The tree and the tables of a search go with its cursor, wherever it is moved") {
  const SearchLog log = whole();
  SearchTree tree(log);
  MutantTable mutants(log);
  EventTable events(log);
  const Tester a(&tree, Tester::FailureReportingMode::Fatal);
  const Tester b(&mutants, Tester::FailureReportingMode::Fatal);
  const Tester c(&events, Tester::FailureReportingMode::Fatal);
  tree.show(0, 0);
  mutants.show(0);
  events.show();
  CHECK(events.rowCount() == static_cast<int>(log.size()));
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    const std::size_t cursor = rng.below(log.size() + 1);
    tree.move_to(cursor);
    mutants.move_to(cursor);
    events.move_to(cursor);
    CHECK(rows_below(tree) == static_cast<int>(SearchLog::count_at(log.nodes(), cursor)));
    CHECK(mutants.rowCount() == static_cast<int>(SearchLog::count_at(log.mutants(), cursor)));
  }
}

TEST_CASE("The tree says what was done and what came of it, and knows its mutants") {
  const SearchLog log = whole();
  SearchTree tree(log);
  tree.show(0, log.size());
  const QModelIndex root = tree.index(0, SearchTree::What);
  CHECK(root.data().toString().endsWith("as it is"));
  const QModelIndex join = tree.index(1, SearchTree::What, root);
  CHECK(join.data().toString().contains("join 2 of axis 0 along axis 3"));
  CHECK(tree.index(2, SearchTree::Outcome, root).data() == "node seen");
  CHECK(tree.index(0, SearchTree::Mutant, join).data() == "S0 M0");
  CHECK(tree.index(0, SearchTree::Outcome, join).data() == "wrong in part");
}

TEST_CASE("The table of mutants has the numbers of the last thing that is known at the cursor") {
  const SearchLog log = whole();
  MutantTable table(log);
  table.show(log.size());
  CHECK(table.index(0, MutantTable::WrongShare).data() == "25.00 %");
  CHECK(table.index(0, MutantTable::Estimate).data() == "1.5 ms");
  table.move_to(9);
  CHECK(table.index(0, MutantTable::WrongShare).data().toString().isEmpty());
  CHECK(table.index(0, MutantTable::State).data() == "kept, wrong at some sampled positions");
}

TEST_CASE("Pages show a recorded search, and stepping through it moves the cursor alone") {
  SearchControl search;
  SearchPage page(search);
  MutantsPage mutants(search);
  Timeline timeline(search);
  search.show(a_search(), {}, "Recorded in x.jsonl");
  CHECK(page.state()["headline"] == "Recorded in x.jsonl");
  CHECK(page.state()["mutants"] == 3);
  search.move_cursor(0);
  search.go(Until::Partial);
  CHECK(search.cursor() == 9);
  CHECK(page.state()["mutants"] == 1);
  search.go(Until::Node);
  CHECK(search.cursor() == 10);
  search.step_back();
  CHECK(search.cursor() == 9);
  search.go(Until::Candidate);  // there is none: to the end
  CHECK(search.cursor() == search.log().size());
  CHECK(mutants.state()["headline"] == "3 mutants");
}

}  // namespace
}  // namespace pet::viz
