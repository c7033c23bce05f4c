#include "viz/views/post_opt_page.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QEventLoop>
#include <QTableView>
#include <QTest>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/program/passes/all_passes.h"
#include "viz/views/actions.h"
#include "viz/views/search_control.h"

namespace pet::viz {
namespace {

// A Relu between two Transposes of which it needs neither.
Graph turned_twice() {
  GraphBuilder builder;
  const Attrs perm{{"perm", Ints{1, 0}}};
  NodeId value = builder.add_input("x", float_tensor({2, 3}));
  value = *builder.add(*ops::find("Transpose"), perm, {value});
  value = *builder.add(*ops::find("Relu"), {}, {value});
  builder.add_output(*builder.add(*ops::find("Transpose"), perm, {value}));
  return std::move(builder).build();
}

Result<std::vector<AppliedPass>> passes(const Opened&, const std::stop_token&) {
  const Graph program = turned_twice();
  ConstantFolder folder(program, 1, {});
  PassTools tools{folder};
  return apply_passes(PassStage::Whole, program, std::nullopt, tools)->applied;
}

Opened mutant() {
  OpenedPair pair;
  pair.name = "S0 M1";
  pair.places = std::make_shared<const SubprogramClass>();
  Opened out;
  out.model = std::make_shared<const OpenedModel>();
  out.pair = std::make_shared<const OpenedPair>(std::move(pair));
  return out;
}

class Shown {
 public:
  using Passes = decltype(ExportPorts::passes);

  explicit Shown(Passes ask)
      : jobs_(
            [this](std::function<void()> what) {
              QMetaObject::invokeMethod(&context_, std::move(what), Qt::QueuedConnection);
            },
            [] {}),
        page_(ports_of(std::move(ask)), jobs_, search_) {
    page_.add_actions(actions_);
  }
  void open(const Opened& opened) {
    page_.show_opened(opened);
    page_.bring_up();
  }
  void wait_for(const std::string& start) {
    while (!page_.state()["headline"].get<std::string>().starts_with(start)) {
      QEventLoop loop;
      QObject::connect(&page_, &Page::changed, &loop, &QEventLoop::quit);
      loop.exec();
    }
  }
  PostOptPage& page() { return page_; }

 private:
  // Of a plan as of a mutant.
  static ExportPorts ports_of(Passes ask) {
    ExportPorts out;
    out.passes = ask;
    out.passes_of_plan = [ask](const Opened& opened, const Plan&, const std::stop_token& stop) {
      return ask(opened, stop);
    };
    return out;
  }

  QObject context_;
  Jobs jobs_;
  SearchControl search_;
  Actions actions_;
  PostOptPage page_;
};

QTableView* the_list(const QWidget& page) {
  for (auto* table : page.findChildren<QTableView*>())
    if (table->accessibleName() == "The passes, in order") return table;
  FAIL("the page has no list of passes");
  return nullptr;
}

TEST_CASE("Without a mutant of the open model the page says what to do") {
  Shown shown(passes);
  shown.open({});
  CHECK(shown.page().state()["headline"].get<std::string>().starts_with("Open a mutant"));
  CHECK(shown.page().scene().items.empty());
}

TEST_CASE("A pass stands before and after, by what it tells; passes without effect are hidden") {
  Shown shown(passes);
  shown.open(mutant());
  shown.wait_for("1 change");
  CHECK(shown.page().state()["passes"] == 1);
  CHECK(shown.page().state()["pass"] == 1);
  CHECK(shown.page().state()["changes"] == 1);
  CHECK(shown.page().state()["difference"] == 1);
  CHECK_FALSE(shown.page().scene().items.empty());
  const QAbstractItemModelTester tester(the_list(shown.page())->model(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  shown.page().findChild<QCheckBox*>()->setChecked(true);
  CHECK(shown.page().state()["passes"] == all_passes().size());
  QTableView* list = the_list(shown.page());
  QTest::keyClick(list, Qt::Key_Down);
  CHECK(shown.page().state()["pass"] == 2);
  CHECK(list->model()->index(1, 2).data().toString() == "changed nothing");
  CHECK(shown.page().scene().items.empty());
}

TEST_CASE("Why passes cannot be applied is said on the page") {
  Shown shown([](const Opened&, const std::stop_token&) -> Result<std::vector<AppliedPass>> {
    return Error{"too large"};
  });
  shown.open(mutant());
  shown.wait_for("too large");
  CHECK(shown.page().state()["passes"] == 0);
}

TEST_CASE("Of the best of a search nothing is shown before there is a search, and it is said") {
  Shown shown(passes);
  shown.open(mutant());
  shown.wait_for("1 change");
  shown.page().choose({{"Passes over", "the best so far of the search"}});
  CHECK(shown.page().state()["headline"].get<std::string>().starts_with("No search runs"));
  CHECK(shown.page().state()["passes"] == 0);
  CHECK(shown.page().scene().items.empty());
  shown.page().choose({{"Passes over", "the open mutant in its places"}});
  shown.wait_for("1 change");
}

}  // namespace
}  // namespace pet::viz
