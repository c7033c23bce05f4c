#include "viz/views/compare_page.h"

#include <QAbstractItemModelTester>
#include <QCoreApplication>
#include <QEventLoop>
#include <QMetaObject>
#include <QTableView>
#include <QTest>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "viz/models/text_table.h"
#include "viz/views/actions.h"
#include "viz/views/compare_view.h"
#include "viz/views/graph_view.h"

namespace pet::viz {
namespace {

// x -> Relu, Tanh, Relu ...; in places of `turned` with two Transposes before.
Graph chain(std::size_t length, const std::vector<std::size_t>& turned) {
  GraphBuilder builder;
  NodeId value = builder.add_input("x", float_tensor({3, 3}));
  for (std::size_t i = 0; i < length; ++i) {
    if (std::ranges::find(turned, i) != turned.end())
      for (int twice = 0; twice < 2; ++twice)
        value = *builder.add(*ops::find("Transpose"), {{"perm", Ints{1, 0}}}, {value});
    value = *builder.add(*ops::find(i % 2 == 0 ? "Relu" : "Tanh"), {}, {value},
                         "v" + std::to_string(i));
  }
  builder.add_output(value);
  return std::move(builder).build();
}

OpenedModel model_of(const std::string& name, const std::vector<std::size_t>& turned) {
  auto model = std::make_shared<Model>();
  model->graph = chain(40, turned);
  model->path = name;
  OpenedModel out;
  out.model = model;
  return out;
}

Opened pair_of(Graph original, Graph mutant) {
  OpenedPair pair;
  pair.name = "S0 M1";
  pair.original = std::make_shared<const Graph>(std::move(original));
  pair.mutant = std::make_shared<const Graph>(std::move(mutant));
  Opened out;
  out.pair = std::make_shared<const OpenedPair>(std::move(pair));
  return out;
}

class Shown {
 public:
  Shown()
      : jobs_(
            [this](std::function<void()> what) {
              QMetaObject::invokeMethod(&context_, std::move(what), Qt::QueuedConnection);
            },
            [] {}),
        page_(
            [](const std::filesystem::path& path, const std::map<std::string, Dim>&,
               const std::stop_token&) -> Result<OpenedModel> {
              if (path.filename() == "broken.onnx") return Error{"it is broken"};
              return model_of(path.filename(), {10, 25});
            },
            jobs_) {
    page_.add_actions(actions_);
    page_.resize(900, 600);
    page_.show();
  }
  void open(const Opened& opened) {
    page_.show_opened(opened);
    page_.bring_up();
  }
  void wait_for(const std::string& headline) {
    while (page_.state()["headline"] != headline) {
      QEventLoop loop;
      QObject::connect(&page_, &Page::changed, &loop, &QEventLoop::quit);
      loop.exec();
    }
    QCoreApplication::processEvents();
  }
  ComparePage& page() { return page_; }
  Actions& actions() { return actions_; }
  QTableView* table() { return page_.findChild<QTableView*>(); }
  GraphView* view(int side) {
    for (auto* view : page_.findChildren<GraphView*>())
      if (view->accessibleName().startsWith(side == 0 ? "The original" : "The other")) return view;
    return nullptr;
  }

 private:
  QObject context_;
  Jobs jobs_;
  Actions actions_;
  ComparePage page_;
};

constexpr const char* kTwoPlaces = "2 places changed: 4 nodes only in mutant; 41 unchanged";

TEST_CASE("Without anything to compare the page says what to do") {
  Shown shown;
  shown.open({});
  CHECK(shown.page().state()["headline"] == "Nothing is open: open a model or a case");
  CHECK(shown.page().scene().items.empty());
}

TEST_CASE("The open pair stands side by side, and F7 goes from difference to difference") {
  Shown shown;
  shown.open(pair_of(chain(40, {}), chain(40, {10, 25})));
  shown.wait_for(kTwoPlaces);
  CHECK_FALSE(shown.page().scene().items.empty());
  CHECK(shown.page().state()["drawn"].get<std::size_t>() < 20);
  CHECK(shown.page().state()["difference"] == 1);
  QString words;
  QObject::connect(&shown.page(), &Page::selected, [&](const QString& said) { words = said; });
  const auto after = [&](const char* action) {
    shown.actions().at(action)->trigger();
    return shown.page().state()["difference"].get<std::size_t>();
  };
  CHECK(after("compare.next") == 2);
  CHECK(words.startsWith("Difference 2 of 2: only in mutant"));
  CHECK(shown.table()->currentIndex().row() == 1);
  CHECK(after("compare.next") == 1);
  CHECK(after("compare.previous") == 2);
  shown.table()->selectRow(0);
  CHECK(shown.page().state()["difference"] == 1);
}

TEST_CASE("What is chosen in one is chosen in the other, and both show the same part") {
  Shown shown;
  shown.open(pair_of(chain(40, {}), chain(40, {10, 25})));
  shown.wait_for(kTwoPlaces);
  shown.actions().at("compare.fold")->trigger();
  CHECK(shown.page().state()["drawn"] == 45);
  const auto marked = [&](int side) {
    return std::ranges::count_if(shown.view(side)->scene().items, [](const Item& item) {
      const auto* outline = std::get_if<Outline>(&item.shape);
      return outline != nullptr && outline->role == Role::Selected;
    });
  };
  CHECK(shown.page().state()["there"] == "Transpose");
  CHECK(shown.page().state()["here"] == "not here");
  CHECK(marked(0) == 0);
  CHECK(marked(1) == 2);
  QTest::keyClick(shown.view(1), Qt::Key_Up);
  CHECK(shown.page().state()["here"] == "Tanh");
  CHECK(marked(0) == 1);
  CHECK(marked(1) == 1);
  shown.view(1)->zoom_in();
  CHECK(shown.view(0)->shown().scale() == shown.view(1)->shown().scale());
  CHECK(shown.view(0)->shown().origin().y == shown.view(1)->shown().origin().y);
}

TEST_CASE("A folded run is opened by Enter, and folded again") {
  Shown shown;
  shown.open(pair_of(chain(40, {}), chain(40, {20})));
  shown.wait_for("1 place changed: 2 nodes only in mutant; 41 unchanged");
  const auto drawn = [&] { return shown.page().state()["drawn"].get<std::size_t>(); };
  const std::size_t folded = drawn();
  for (int i = 0; i < 2; ++i) QTest::keyClick(shown.view(1), Qt::Key_Up);
  CHECK(shown.page().state()["here"] == "20 unchanged nodes");
  QTest::keyClick(shown.view(0), Qt::Key_Return);
  CHECK(drawn() == folded + 19);
  QTest::keyClick(shown.view(0), Qt::Key_Return);
  CHECK(drawn() == folded);
}

TEST_CASE("The open model is compared with a file that is offered, and a broken one is an error") {
  Shown shown;
  Opened opened;
  opened.model = std::make_shared<const OpenedModel>(model_of("a.onnx", {}));
  shown.open(opened);
  CHECK(shown.page().state()["headline"].get<std::string>().starts_with("Nothing to compare"));
  shown.page().offer("b.onnx", "It was proved.");
  shown.wait_for("2 places changed: 4 nodes only in b.onnx; 41 unchanged");
  CHECK(shown.page().state()["known"] == "It was proved.");
  CHECK(shown.page().other() == "b.onnx");
  const auto& items = shown.page().scene().items;
  for (const char* name : {"a.onnx", "b.onnx"})
    CHECK(std::ranges::any_of(items, [&](const Item& item) {
      const auto* label = std::get_if<Label>(&item.shape);
      return label != nullptr && label->text == name;
    }));
  shown.page().offer("broken.onnx");
  shown.wait_for("it is broken");
  CHECK(shown.page().scene().items.empty());
}

TEST_CASE("What is known of a replaced operator: other attributes, or another constant") {
  const auto program = [](std::int64_t first, float number, bool is_computed) {
    GraphBuilder builder;
    const auto op = [&](const char* name, std::vector<NodeId> operands, Attrs attrs = {}) {
      return *builder.add(*ops::find(name), std::move(attrs), std::move(operands));
    };
    const NodeId x = builder.add_input("x", float_tensor({3, 3}));
    const NodeId turned = op("Transpose", {x}, {{"perm", Ints{first, 1 - first}}});
    NodeId constant = builder.add_scalar(number);
    if (is_computed) constant = op("Exp", {constant});
    builder.add_output(op("Mul", {op("Relu", {turned}), constant}));
    return std::make_shared<const Graph>(std::move(builder).build());
  };
  const auto plain = program(0, 3, false);
  const auto known = [&](const std::shared_ptr<const Graph>& there) {
    std::string out;
    for (const ChangeWords& words :
         words_of({{"a", plain}, {"b", there}, counterparts(*plain, *there), {}}))
      out += words.known + ";";
    return out;
  };
  CHECK(known(program(1, 3, false)) ==
        "other attributes: Transpose<perm=[0,1]> → Transpose<perm=[1,0]>;");
  CHECK(known(program(0, 4, false)) == "another constant as operand 2;");
  CHECK(known(program(0, 3, true)) == "the constant that is operand 2 is computed otherwise;");
}

TEST_CASE("The table of differences is a sound model, and names are no markup") {
  const auto named = [](const char* name, const char* op) {
    GraphBuilder builder;
    const NodeId x = builder.add_input("x", float_tensor({3, 3}));
    builder.add_output(*builder.add(*ops::find(op), {}, {x}, name));
    return std::make_shared<const Graph>(std::move(builder).build());
  };
  SideBySide comparison{{"a", named("<b>y</b>", "Relu")}, {"b", named("z", "Tanh")}, {}, {}};
  comparison.counterparts = counterparts(*comparison.here.graph, *comparison.there.graph);
  CompareView view;
  view.show_comparison(std::make_shared<const SideBySide>(comparison));
  auto* table = view.findChild<TextTable*>();
  REQUIRE(table != nullptr);
  const QAbstractItemModelTester tester(table,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  REQUIRE(table->rowCount() == 1);
  const auto at = [&](int column, int role = Qt::DisplayRole) {
    return table->index(0, column).data(role).toString();
  };
  CHECK(at(0) == "replaced");
  CHECK(at(1) == "Relu");
  CHECK(at(2) == "Tanh");
  CHECK(at(4) == "<b>y</b> float[3,3] → z float[3,3]");
  CHECK(at(4, Qt::ToolTipRole).contains("&lt;b&gt;"));
  view.show_comparison(nullptr);
  CHECK(table->rowCount() == 0);
}

}  // namespace
}  // namespace pet::viz
