#include "viz/views/boxes_page.h"

#include <QAbstractItemModelTester>
#include <QTabWidget>
#include <QTableView>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/onnx/text.h"
#include "tests/viz/geometry/nine_boxes.h"
#include "tests/viz/views/wait_until_idle.h"
#include "viz/models/summation_table.h"
#include "viz/views/actions.h"
#include "viz/views/main_window.h"
#include "viz/views/start_page.h"
#include "viz/words/axis_names.h"

namespace pet::viz {
namespace {

OpenedPair pair() {
  const std::string program =
      "(float[1, 2, 8, 10] X, float[4, 2, 3, 3] W) => (float[1, 4, 8, 10] Y) {\n"
      "  Y = Conv<pads=[1, 1, 1, 1]>(X, W)\n}\n";
  auto file = parse_case("# test\noriginal " + program + "mutant " + program, "test");
  REQUIRE(file.ok());
  OpenedPair out{"pair", {}, "", "", nullptr, nullptr};
  out.original = std::make_shared<const Graph>(file->original.graph);
  out.mutant = std::make_shared<const Graph>(file->mutant.graph);
  InspectedOutput& output = out.outputs.emplace_back();
  output.name = "Y";
  output.basis = DigitBasis::plain({1, 4, 8, 10});
  output.boxes = {{{{0, 0, 0, 0}, {1, 4, 8, 10}}, Sameness::Equal}};
  output.wrong.basis = output.basis;
  return out;
}

WindowPorts ports() {
  WindowPorts out;
  out.open_example = [](const std::string&, const std::stop_token&) -> Result<OpenedExample> {
    return OpenedExample{pair(), {}, {}};
  };
  out.splits = [](const OpenedPair& opened, const std::stop_token&) -> Result<InspectedSplits> {
    std::vector<InspectedValue> values;
    for (const NodeId id : opened.original->ids()) {
      InspectedValue& value = values.emplace_back();
      value.basis = DigitBasis::plain(*opened.original->node(id).type.shape);
      value.boxes = 1;
    }
    values.back().cuts = {{2, 1, {}, {}}, {3, 9, {}, {}}};
    return InspectedSplits{values, values};
  };
  out.sums = [](const OpenedPair&, ProgramSide, NodeId, const std::stop_token&) {
    return Result<InspectedSums>(test::nine_boxes());
  };
  out.sums_of_output = [](const OpenedPair&, std::size_t, const std::stop_token&) {
    return Result<InspectedSums>(InspectedSums{{}, {}, "too many boxes"});
  };
  out.cards = {{"first", "The first", "What it is.", {}}};
  return out;
}

struct Opened {
  MainWindow window{ports()};
  QWidget* page = nullptr;

  Opened() {
    window.findChild<StartPage*>()->example_chosen("first");
    wait_until_idle(window);
    auto* tabs = window.findChild<QTabWidget*>();
    for (int i = 0; i < tabs->count(); ++i)
      if (tabs->tabText(i) == "Boxes") tabs->setCurrentIndex(i);
    page = tabs->currentWidget();
    wait_until_idle(window);
  }
  void run(const char* action) {
    window.actions().at(action)->trigger();
    wait_until_idle(window);
  }
  nlohmann::json state() const { return nlohmann::json::parse(window.state()); }
};

TEST_CASE("Boxes opens on the output of both programs, and says why nothing is known of it") {
  const Opened opened;
  CHECK(opened.state()["headline"] == "both: Y");
  CHECK(opened.state()["counts"] == "Nothing is known of its boxes: too many boxes");
  CHECK_FALSE(opened.window.scene().items.empty());
}

TEST_CASE(
    "Operator by operator: the table holds the boxes of the value, and a box is chosen in table "
    "and picture alike") {
  Opened opened;
  opened.run("boxes.previous");
  CHECK(opened.state()["headline"] == "mutant: Y = Conv(X, W)");
  CHECK(opened.state()["counts"] == "9 boxes, 9 sums, instead of 320 elements");
  auto* table = opened.page->findChild<QTableView*>();
  REQUIRE(table->model()->rowCount() == 9);
  CHECK(table->model()->index(1, 6).data() == "h + [0,1], w + [-1,1]");
  CHECK(table->model()->index(1, 7).data() == "6 of 9 taps; without (0,0) (0,1) (0,2)");
  opened.run("boxes.picture");
  table->setCurrentIndex(table->model()->index(4, 0));
  CHECK(opened.state()["box"] == 4);
  CHECK(opened.state()["selected"].get<std::string>().starts_with("sum 5 of 9, in 1 box\n"));
  std::size_t marked = 0;
  for (const Item& item : opened.window.scene().items) {
    const auto* outline = std::get_if<Outline>(&item.shape);
    if (outline != nullptr && outline->role == Role::Selected) ++marked;
  }
  CHECK(marked == 2);  // the box, and it as one of its sum
}

TEST_CASE("Cuts are traced one after the other, round and round") {
  Opened opened;
  opened.run("boxes.previous");
  const auto cut = [&] { return opened.state()["cut"].get<std::string>(); };
  opened.run("boxes.next_cut");
  CHECK(cut() == "Y is cut along h between 0 and 1");
  opened.run("boxes.next_cut");
  CHECK(cut() == "Y is cut along w between 8 and 9");
  opened.run("boxes.next_cut");
  CHECK(cut() == "Y is cut along h between 0 and 1");
  opened.run("boxes.previous_cut");
  CHECK(cut() == "Y is cut along w between 8 and 9");
}

TEST_CASE("The table of sums is a sound model, with and without boxes") {
  SummationTable table;
  const QAbstractItemModelTester tester(&table,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  const Summation summation = summation_of(test::nine_boxes());
  table.show_summation(summation, std::vector<State>(9, State::Unknown),
                       digit_names(summation.basis));
  CHECK(table.index(0, 6).data() == "not known");
  table.show_summation({}, {}, {});
  CHECK(table.rowCount() == 0);
}

}  // namespace
}  // namespace pet::viz
