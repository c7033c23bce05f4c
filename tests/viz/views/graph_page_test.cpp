#include "viz/views/graph_page.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "viz/session/jobs.h"
#include "viz/views/actions.h"
#include "viz/views/graph_view.h"
#include "viz/views/minimap_view.h"
#include "viz/views/outline.h"
#include "viz/views/sizes_dialog.h"

namespace pet::viz {
namespace {

// x -> Relu -> Relu ..., `length` of them; the operators from `first` to `last` are one set.
Opened chain(std::size_t length, std::size_t first, std::size_t last) {
  auto model = std::make_shared<Model>();
  GraphBuilder builder;
  NodeId value = builder.add_input("x", float_tensor({2, 3}));
  std::vector<std::optional<std::size_t>> sets(1);
  for (std::size_t i = 0; i < length; ++i) {
    value = *builder.add(*ops::find("Relu"), {}, {value}, "r" + std::to_string(i));
    sets.emplace_back(i >= first && i <= last ? std::optional<std::size_t>(0) : std::nullopt);
  }
  builder.add_output(value);
  model->graph = std::move(builder).build();
  model->origins.resize(model->graph.nodes().size());
  Opened out;
  out.model = std::make_shared<const OpenedModel>(OpenedModel{model, sets, {}});
  return out;
}

struct Shown {
  Actions actions;
  Jobs jobs{[](const std::function<void()>& what) { what(); }, [] {}};
  GraphPage page{jobs};
  GraphView* view = nullptr;

  explicit Shown(const Opened& opened) {
    page.add_actions(actions);
    page.resize(800, 600);
    page.show_opened(opened);
    page.bring_up();
    page.show();
    view = page.findChild<GraphView*>();
    QCoreApplication::processEvents();
  }
  std::string state(const char* of) const { return page.state()[of].get<std::string>(); }
};

TEST_CASE("What is typed is found, one after another, and its set is opened") {
  Shown shown(chain(40, 10, 12));
  auto* find = shown.page.findChild<QLineEdit*>();
  QTest::keyClicks(find, "R1");
  CHECK(shown.state("found") == "11 found");  // r1, r10 to r19
  QTest::keyClick(find, Qt::Key_Return);
  CHECK(shown.state("found") == "1 of 11");
  QTest::keyClick(find, Qt::Key_Return);
  CHECK(shown.state("found") == "2 of 11");
  CHECK(shown.page.findChild<QLabel*>()->text().startsWith("41 nodes drawn"));  // not 39
  CHECK(shown.state("node") == "Relu");
  CHECK(shown.view->shown().origin().y > 0);
  QTest::keyClick(find, Qt::Key_Return, Qt::ShiftModifier);
  CHECK(shown.state("found") == "1 of 11");
  find->setText("no such node");
  CHECK(shown.state("found") == "not found");
}

TEST_CASE("One walks down a graph by keys, opens a set by Enter and folds it again") {
  Shown shown(chain(6, 1, 3));
  QTest::keyClick(shown.view, Qt::Key_Down);
  CHECK(shown.state("node") == "x");
  QTest::keyClick(shown.view, Qt::Key_Down);
  QTest::keyClick(shown.view, Qt::Key_Down);
  CHECK(shown.state("node") == "3 linear operators");
  QTest::keyClick(shown.view, Qt::Key_Return);
  CHECK(shown.state("node") == "Relu");
  QTest::keyClick(shown.view, Qt::Key_Return);
  CHECK(shown.state("node") == "3 linear operators");
  QTest::keyClick(shown.view, Qt::Key_Up);
  CHECK(shown.state("node") == "Relu");
}

TEST_CASE("A click chooses the node under it at any zoom") {
  Shown shown(chain(40, 1, 0));
  shown.actions.at("graph.fit")->trigger();
  CHECK(shown.view->shown().scale() < 1);
  const double scale = shown.view->shown().scale();
  shown.actions.at("graph.larger")->trigger();
  CHECK(shown.view->shown().scale() > scale);
  shown.actions.at("graph.fit")->trigger();
  QString chosen;
  QObject::connect(&shown.page, &Page::selected, [&](const QString& words) { chosen = words; });
  const Point origin = shown.view->shown().origin();
  const auto& area =
      std::get<Area>(std::ranges::find(shown.page.scene().items, "node:40", &Item::id)->shape);
  QTest::mouseClick(
      shown.view->viewport(), Qt::LeftButton, {},
      QPointF((area.at.x + 20 - origin.x) * scale, (area.at.y + 20 - origin.y) * scale).toPoint());
  CHECK(chosen.contains("r39"));
}

TEST_CASE("Of ten thousand nodes those in the window are painted alone, and the index agrees") {
  Shown shown(chain(10'000, 1, 0));
  shown.view->grab();
  CHECK(shown.view->painted() > 10);
  CHECK(shown.view->painted() < 150);
  shown.page.show_node(NodeId(9'000));
  shown.view->grab();
  CHECK(shown.state("node") == "Relu");
  CHECK(shown.view->painted() < 150);
}

TEST_CASE("Sizes that are asked for are one unless somebody says otherwise") {
  const SizesDialog dialog("m.onnx", {"batch", "x:3"}, nullptr);
  CHECK(dialog.sizes() == std::map<std::string, Dim>{{"batch", 1}, {"x:3", 1}});
  dialog.findChildren<QSpinBox*>().back()->setValue(224);
  CHECK(dialog.sizes().at("x:3") == 224);
}

TEST_CASE("The nodes that are drawn are rows, and a row that is chosen is framed and seen") {
  Shown shown(chain(40, 10, 12));
  auto* table = shown.page.findChild<QTableView*>();
  REQUIRE(table->model()->rowCount() == 39);
  const auto cell = [&](int row, int column) {
    return table->model()->index(row, column).data().toString();
  };
  CHECK(cell(0, 1) == "input");
  CHECK(cell(11, 0) == "3 linear operators");
  CHECK(cell(11, 3) == "r10, r11, r12");
  CHECK(cell(11, 4) == "r9");
  NodeId chosen(0);
  QObject::connect(&shown.page, &GraphPage::node_chosen, [&](NodeId id) { chosen = id; });
  table->setCurrentIndex(table->model()->index(38, 0));
  CHECK(chosen == NodeId(40));
  CHECK(shown.view->shown().origin().y > 0);
  CHECK(shown.state("node") == "Relu");
  QTest::keyClick(shown.view, Qt::Key_Up);
  CHECK(table->currentIndex().row() == 37);
  shown.actions.at("graph.open")->trigger();
  CHECK(table->model()->rowCount() == 41);
  CHECK_FALSE(table->currentIndex().isValid());
}

TEST_CASE("All of a graph that does not fit is in a corner, and a click there goes there") {
  Shown shown(chain(400, 1, 0));
  auto* map = shown.page.findChild<MinimapView*>();
  REQUIRE(map != nullptr);
  CHECK(map->isVisible());
  CHECK(shown.view->viewport()->rect().contains(map->geometry()));
  CHECK(map->toolTip().endsWith(". M hides it"));
  CHECK(shown.page.findChild<QCheckBox*>()->toolTip().endsWith(" (M)"));
  const double all = shown.page.scene().height;
  QTest::mouseClick(map, Qt::LeftButton, {}, map->rect().center());
  const Rect seen = shown.view->shown().visible();
  CHECK(seen.y + seen.height / 2 == Approx(all / 2).epsilon(0.05));
  shown.actions.at("graph.minimap")->trigger();
  CHECK(shown.page.findChild<MinimapView*>() == nullptr);
  CHECK(shown.page.choices().at("Minimap") == "no");
  static_cast<Page&>(shown.page).choose({{"Minimap", "yes"}});
  CHECK(shown.page.findChild<MinimapView*>()->isVisible());
  CHECK_FALSE(Shown(chain(2, 1, 0)).page.findChild<MinimapView*>()->isVisible());
}

}  // namespace
}  // namespace pet::viz
