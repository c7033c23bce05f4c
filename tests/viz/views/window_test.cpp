#include <QAbstractItemModelTester>
#include <QApplication>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <thread>

#include "core/backend/scratch_folder.h"
#include "tests/viz/geometry/stored.h"
#include "tests/viz/views/wait_until_idle.h"
#include "viz/models/box_table.h"
#include "viz/views/actions.h"
#include "viz/views/build_dialog.h"
#include "viz/views/main_window.h"
#include "viz/views/regions_page.h"
#include "viz/views/sizes_dialog.h"
#include "viz/words/axis_names.h"

namespace pet::viz {
namespace {

const std::string kStaysOpen = "; what was open stays open: mend the file, or open another one";

// Of [4·2, 6]: column 5 of even rows.
InspectedOutput output() {
  InspectedOutput out{"<b>y</b>", {{{4, 2}, {6}}}, {}, {}, {}};
  const Box wrong{{0, 0, 5}, {4, 1, 6}};
  out.boxes = {{wrong, Sameness::Different},
               {{{0, 0, 0}, {4, 1, 5}}, Sameness::Equal},
               {{{0, 1, 0}, {4, 2, 6}}, Sameness::Equal}};
  out.wrong = {out.basis, {wrong}};
  return out;
}

WindowPorts ports() {
  WindowPorts out;
  out.open_example = [](const std::string& id, const std::stop_token&) -> Result<OpenedExample> {
    return OpenedExample{
        OpenedPair{id, {output()}, "original\n", "mutant\n", nullptr, nullptr}, {}, {}};
  };
  out.open_case = [](const std::filesystem::path& path,
                     const std::stop_token&) -> Result<OpenedPair> {
    return Error{path.string() + ": no case"};
  };
  out.terms = [](const OpenedPair&, std::size_t, const Shape& position,
                 const std::stop_token&) -> Result<InspectedTerms> {
    InspectedTerms terms;
    terms.differing = {{false, "1", {{"x", {{position[1], {}}}}}, {}}};
    return terms;
  };
  out.cards = {{"first", "The first", "What it is.", {}},
               {"second", "The second", "What it is.", {}}};
  return out;
}

TEST_CASE("Enter on the start page opens the first example, and the page says where it is wrong") {
  MainWindow window(ports());
  window.show();
  REQUIRE(QTest::qWaitForWindowActive(&window));
  auto* button = qobject_cast<QToolButton*>(QApplication::focusWidget());
  REQUIRE(button != nullptr);
  CHECK(button->accessibleName() == "The first");
  QTest::keyClick(button, Qt::Key_Return);
  wait_until_idle(window);
  CHECK(window.regions().headline() == "1 box, 8.33 % of the output: column 5 of even rows");
  CHECK(window.windowTitle().startsWith("first"));
  window.actions().at("regions.next")->trigger();
  wait_until_idle(window);
  CHECK(window.state().find("only in the mutant (1 of 1 terms):\\n  x[5]") != std::string::npos);
}

TEST_CASE("A file that is no case leaves what was open, and says why") {
  MainWindow window(ports());
  window.open_file("/nowhere/x.txt");
  wait_until_idle(window);
  CHECK(window.last_words() == "/nowhere/x.txt: no case" + kStaysOpen);
  CHECK(window.regions().headline().isEmpty());
}

TEST_CASE("What fails stands in the log once, and a job that runs can be cancelled") {
  WindowPorts some = ports();
  some.open_model = [](const std::filesystem::path&, const std::map<std::string, Dim>&,
                       const std::stop_token& stop) -> Result<OpenedModel> {
    while (!stop.stop_requested()) std::this_thread::yield();
    return Error{"stopped", ErrorKind::Stopped};
  };
  MainWindow window(std::move(some));
  window.open_file("x.txt");
  wait_until_idle(window);
  window.open_file("y.onnx");
  window.actions().at("jobs.cancel")->trigger();
  wait_until_idle(window);
  CHECK(window.is_idle());
  int told = 0;
  for (const auto* pane : window.findChildren<QPlainTextEdit*>())
    told += static_cast<int>(pane->toPlainText().count("x.txt: no case"));
  CHECK(told == 1);
}

TEST_CASE("What was opened is recent, in this window and the next; a broken list is told of") {
  const auto folder = ScratchFolder::make("window-recent");
  REQUIRE(folder);
  WindowPorts some = ports();
  some.recent = folder->path() / "recent.json";
  some.open_case = [](const std::filesystem::path&, const std::stop_token&) -> Result<OpenedPair> {
    return OpenedPair{"c", {output()}, "original\n", "mutant\n", nullptr, nullptr};
  };
  const auto recent = [&] {
    const MainWindow window(some);
    QStringList out;
    const auto lists = window.findChildren<QListWidget*>();
    const auto* list = *std::ranges::find(lists, QString("Recent files"), &QWidget::accessibleName);
    for (int i = 0; i < list->count(); ++i) out << list->item(i)->text();
    return out;
  };
  CHECK(recent() == QStringList{"none yet"});
  {
    MainWindow window(some);
    window.open_file("/nowhere/a.txt");
    wait_until_idle(window);
    window.open_file("/nowhere/b.txt");
    wait_until_idle(window);
  }
  CHECK(recent() == QStringList{"b.txt    is not in /nowhere any more",
                                "a.txt    is not in /nowhere any more"});
  std::ofstream(some.recent) << "{";
  CHECK(recent() == QStringList{"none yet"});
}

TEST_CASE("Sizes that a model leaves open are asked for, and it is opened at those") {
  WindowPorts some = ports();
  some.open_dimensions = [](const std::filesystem::path&) -> Result<std::vector<std::string>> {
    return std::vector<std::string>{"batch"};
  };
  std::map<std::string, Dim> opened_at;
  some.open_model = [&](const std::filesystem::path&, const std::map<std::string, Dim>& sizes,
                        const std::stop_token&) -> Result<OpenedModel> {
    opened_at = sizes;
    return Error{"that is enough"};
  };
  MainWindow window(std::move(some));
  window.open_file("y.onnx");
  wait_until_idle(window);
  CHECK(opened_at.empty());
  auto* dialog = window.findChild<SizesDialog*>();
  REQUIRE(dialog != nullptr);
  dialog->findChild<QSpinBox*>()->setValue(8);
  dialog->accept();
  wait_until_idle(window);
  CHECK(opened_at == std::map<std::string, Dim>{{"batch", 8}});
}

TEST_CASE("A network that is built is opened") {
  WindowPorts some = ports();
  some.networks.list = [] { return std::vector<NetworkChoice>{{"tiny_net", "Small."}}; };
  some.networks.build = [](const NetworkRequest& request,
                           const std::stop_token&) -> Result<std::filesystem::path> {
    return std::filesystem::path("/nowhere") / (request.name + ".txt");
  };
  MainWindow window(std::move(some));
  window.actions().at("file.build")->trigger();
  auto* dialog = window.findChild<BuildDialog*>();
  REQUIRE(dialog != nullptr);
  dialog->accept();
  wait_until_idle(window);
  CHECK(window.last_words() == "/nowhere/tiny_net.txt: no case" + kStaysOpen);
}

TEST_CASE("Windows that are closed while jobs run end at once") {
  for (int i = 0; i < 20; ++i) {
    WindowPorts slow = ports();
    slow.open_case = [](const std::filesystem::path&,
                        const std::stop_token& stop) -> Result<OpenedPair> {
      while (!stop.stop_requested()) std::this_thread::yield();
      return Error{"stopped", ErrorKind::Stopped};
    };
    MainWindow window(std::move(slow));
    window.open_file("x.txt");
    if (i % 2 == 0) QCoreApplication::processEvents();
  }
  SUCCEED();
}

TEST_CASE("Every action has a text, a tooltip and a name of its own") {
  const MainWindow window(ports());
  QSet<QString> names;
  for (const QAction* action : window.actions().all()) {
    CHECK_FALSE(action->text().isEmpty());
    CHECK_FALSE(action->toolTip().isEmpty());
    names.insert(action->objectName());
  }
  CHECK(names.size() == window.actions().all().size());
}

TEST_CASE("What takes the focus has an accessible name") {
  MainWindow window(ports());
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    const bool is_ours = widget->metaObject()->className() == QString("QTableView") ||
                         widget->metaObject()->className() == QString("QTreeWidget") ||
                         widget->metaObject()->className() == QString("QPlainTextEdit") ||
                         widget->metaObject()->className() == QString("QComboBox");
    if (is_ours) CHECK_FALSE(widget->accessibleName().isEmpty());
  }
}

TEST_CASE("N and P go round the boxes that are wrong, and the table goes along") {
  const WindowPorts nothing;
  Jobs jobs([](const std::function<void()>& what) { what(); }, [] {});
  RegionsPage page(nothing, jobs);
  page.show_outputs({output()});
  auto* table = page.findChild<QTableView*>();
  const auto row = [&] { return table->currentIndex().row(); };
  page.next_wrong();
  CHECK(row() == 0);
  page.next_wrong();
  CHECK(row() == 1);
  page.previous_wrong();
  page.previous_wrong();
  CHECK(row() == 3);  // column 5 of rows 0, 2, 4 and 6
  page.next_wrong();
  CHECK(row() == 0);
  CHECK(table->model()->index(0, 0).data() == "different");
}

TEST_CASE("Every element is looked at on request, and what the boxes say of them is counted") {
  WindowPorts some = ports();
  some.truth = [](const OpenedPair&, std::size_t,
                  const std::stop_token&) -> Result<InspectedTruth> {
    InspectedTruth out{"a test", std::vector<char>(48, 1)};
    out.equal_at[0] = 0;  // wrong and uncovered; what is covered is right
    return out;
  };
  MainWindow window(std::move(some));
  window.show();
  window.open_file("a.txt");
  wait_until_idle(window);
  REQUIRE(window.regions().headline().isEmpty());  // it cannot be read
  window.actions().at("regions.truth")->trigger();
  wait_until_idle(window);
  CHECK(window.regions().truth().isEmpty());
  window.open_example("first");
  wait_until_idle(window);
  window.actions().at("regions.truth")->trigger();
  wait_until_idle(window);
  CHECK(window.regions().truth() ==
        "Every element, by a test: 0 wrong and covered, 1 wrong and uncovered, 4 covered and "
        "right, 43 right");
}

TEST_CASE("The table holds every box of the grid, wrong ones first") {
  BoxTable table;
  const QAbstractItemModelTester tester(&table,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  const QuotientGrid grid({{{4, 2}, {6}}}, {{{{0, 1, 0}, {4, 2, 6}}, State::Equal},
                                            {{{0, 0, 5}, {4, 1, 6}}, State::Wrong}});
  table.show_boxes(grid, digit_names(grid.basis()));
  REQUIRE(table.rowCount() == 2);
  CHECK(table.box_of(0) == 1);
  CHECK(table.row_of(0) == 1);
  CHECK(table.index(0, 1).data() == "0..3");
  CHECK(table.index(0, 3).data() == "5");
  CHECK(table.index(0, 4).data() == "4");
  CHECK(table.index(0, 5).data() == "8.33 %");
  table.show_boxes(QuotientGrid({}, {}), {});
  CHECK(table.rowCount() == 0);
}

TEST_CASE("A report of pet-verify opens as a table, and a pair of it as what it is") {
  const auto folder = ScratchFolder::make("window-report");
  REQUIRE(folder);
  const auto file = folder->path() / "r.jsonl";
  std::ofstream(file) << R"({"name": "a", "files": ["a.txt"], "verdict": "partial"})" << '\n'
                      << R"({"name": "b", "files": ["b.txt"], "verdict": "equivalent"})" << '\n';
  std::ofstream(folder->path() / "a.txt") << "a case";
  WindowPorts some = ports();
  std::filesystem::path opened;
  some.open_case = [&](const std::filesystem::path& path,
                       const std::stop_token&) -> Result<OpenedPair> {
    opened = path;
    return OpenedPair{"a", {output()}, "original\n", "mutant\n", nullptr, nullptr};
  };
  MainWindow window(std::move(some));
  window.show();
  window.open_file(file);
  wait_until_idle(window);
  CHECK(window.state().find("2 pairs: 1 equivalent, 1 partial") != std::string::npos);
  CHECK(window.session().source.kind == SourceKind::Report);
  auto* table = window.page().findChild<QTableView*>();
  REQUIRE(table != nullptr);
  table->selectRow(0);
  QTest::keyClick(table, Qt::Key_Return);
  wait_until_idle(window);
  CHECK(opened == folder->path() / "a.txt");
}

TEST_CASE("A stored profile is told from other lines of JSON, and opens on its page") {
  const Stored stored({{"A", "B", 1, 0.5}});
  MainWindow window(ports());
  window.show();
  window.open_file(stored.file);
  wait_until_idle(window);
  CHECK(window.state().find("1 comparison of cuda on a GPU, in fp32") != std::string::npos);
  CHECK(window.session().source.kind == SourceKind::Profile);
  CHECK(window.session().page == "profile");
  const auto other = stored.folder.path() / "other.jsonl";
  std::ofstream(other) << "{\"original\": torn\n";
  window.open_profile(other);
  wait_until_idle(window);
  CHECK_THAT(window.last_words(), Catch::Contains("no line of it is a comparison"));
  CHECK(window.session().source.name == stored.file);
}

}  // namespace
}  // namespace pet::viz
