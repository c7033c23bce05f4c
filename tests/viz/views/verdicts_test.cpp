#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QTableView>
#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/scratch_folder.h"
#include "tests/support/told_checker.h"
#include "tests/viz/views/wait_until_idle.h"
#include "viz/views/actions.h"
#include "viz/views/main_window.h"
#include "viz/views/verdicts_page.h"

namespace pet::viz {
namespace {

using test::program_called;
using test::ToldChecker;
using test::wrong_in;

OpenedPair pair_called(const std::string& name) {
  return {name, {}, "original\n", "mutant\n", program_called("x"), program_called(name)};
}

WindowPorts ports(std::shared_ptr<CrossChecker> checker) {
  WindowPorts out;
  out.open_case = [](const std::filesystem::path& path,
                     const std::stop_token&) -> Result<OpenedPair> {
    return pair_called(path.stem().string());
  };
  out.cross_checker = std::move(checker);
  return out;
}

void open(MainWindow& window, const std::string& name) {
  window.open_file(name + ".txt");
  wait_until_idle(window);
}

void run(MainWindow& window, const char* action) {
  window.actions().at(action)->trigger();
  wait_until_idle(window);
}

QString cell(MainWindow& window, int row, int column) {
  return window.verdicts().findChild<QTableView*>()->model()->index(row, column).data().toString();
}

TEST_CASE(
    "Cells fill as engines answer, a disagreement stands first, and what was chosen stays so") {
  auto checker = std::make_shared<ToldChecker>();
  checker->of_input["b"] = {wrong_in(2), wrong_in(3), wrong_in(3)};
  MainWindow window(ports(checker));
  auto* table = window.verdicts().findChild<QTableView*>();
  const QAbstractItemModelTester tester(table->model(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  open(window, "a");
  open(window, "b");
  open(window, "a");
  REQUIRE(table->model()->rowCount() == 2);
  CHECK(cell(window, 0, VerdictTable::FirstEngineColumn) == "");
  run(window, "verdicts.check_all");
  CHECK(cell(window, 0, VerdictTable::MutantColumn) == "b");
  CHECK(cell(window, 0, VerdictTable::FirstEngineColumn) == "✘ 2 of 10");
  CHECK(cell(window, 0, VerdictTable::AgreementColumn) == "DISAGREE");
  CHECK(table->model()->index(0, 0).data(VerdictTable::kIsAlarm).toBool());
  CHECK(cell(window, 1, VerdictTable::FirstEngineColumn) == "✔ equal");
  CHECK(table->currentIndex().row() == 1);  // a
}

TEST_CASE("Planted errors become rows: red where they were noticed, first where they were not") {
  auto checker = std::make_shared<ToldChecker>();
  CrossAnswer unknown;
  unknown.reason = "too large";
  checker->of_input["missed"] = {wrong_in(0), unknown, wrong_in(0)};
  checker->of_input["noticed"] = {wrong_in(2), wrong_in(2), wrong_in(2)};
  MainWindow window(ports(checker));
  open(window, "a");
  run(window, "verdicts.plant");
  CHECK(cell(window, 0, VerdictTable::MutantColumn) == "planted: missed (a)");
  CHECK(cell(window, 0, VerdictTable::AgreementColumn) == "MISSED, some undecided");
  const auto* model = window.verdicts().findChild<QTableView*>()->model();
  CHECK(cell(window, 2, VerdictTable::MutantColumn) == "planted: noticed (a)");
  CHECK(model->index(2, 0).data(VerdictTable::kIsFlagged).toBool());
  CHECK_FALSE(model->index(1, 0).data(VerdictTable::kIsFlagged).toBool());
}

TEST_CASE("A pair is written as a case, and the line that checks it lies in the clipboard") {
  MainWindow window(ports(std::make_shared<ToldChecker>()));
  const testing::ScratchFolder folder;
  open(window, "a");
  const auto path = folder.path() / "it's.txt";
  window.verdicts().reproduce_to(path);
  wait_until_idle(window);
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(text == "a case\n");
  CHECK(QGuiApplication::clipboard()->text().toStdString() == command_line({"", 7}, path.string()));
}

TEST_CASE("What is cancelled is not gone on with, and can be begun again") {
  auto checker = std::make_shared<ToldChecker>();
  checker->waits = true;
  MainWindow window(ports(checker));
  open(window, "a");
  open(window, "b");
  window.actions().at("verdicts.check_all")->trigger();
  CHECK_FALSE(window.is_idle());
  CHECK(cell(window, 0, VerdictTable::FirstEngineColumn) == "…");
  window.actions().at("jobs.cancel")->trigger();
  wait_until_idle(window);
  CHECK(cell(window, 0, VerdictTable::FirstEngineColumn) == "");
  checker->waits = false;
  run(window, "verdicts.check");
  CHECK(cell(window, 1, VerdictTable::AgreementColumn) == "agree");  // b is selected
  CHECK(cell(window, 0, VerdictTable::AgreementColumn) == "");
}

}  // namespace
}  // namespace pet::viz
