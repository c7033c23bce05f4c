// More than is shown at once, on every page that cuts: how much there is, is said.
#include <QAbstractItemView>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTableView>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/told_checker.h"
#include "tests/viz/geometry/chequered.h"
#include "tests/viz/session/a_search.h"
#include "tests/viz/views/wait_until_idle.h"
#include "viz/session/jobs.h"
#include "viz/views/actions.h"
#include "viz/views/graph_view.h"
#include "viz/views/job_list.h"
#include "viz/views/left_list.h"
#include "viz/views/main_window.h"
#include "viz/views/mutants_page.h"
#include "viz/views/regions_page.h"
#include "viz/views/scene_view.h"
#include "viz/views/search_control.h"
#include "viz/views/search_page.h"
#include "viz/views/verdicts_page.h"

namespace pet::viz {
namespace {

bool says(const Scene& scene, const std::string& words) {
  return std::ranges::any_of(scene.items, [&](const Item& item) {
    const auto* label = std::get_if<Label>(&item.shape);
    return label != nullptr && label->text.find(words) != std::string::npos;
  });
}

TEST_CASE("A region of 20,000 boxes shows some slices, says of how many, and the table has all") {
  const WindowPorts nothing;
  Jobs jobs([](const std::function<void()>& what) { what(); }, [] {});
  RegionsPage page(nothing, jobs);
  const InspectedOutput output = chequered(40, 50, 10);
  const auto boxes = output.boxes.size();
  page.show_outputs({output});
  CHECK(says(page.scene(), "distinct slices shown, of 40 in all"));
  CHECK(page.findChild<QTableView*>()->model()->rowCount() == static_cast<int>(boxes));
}

TEST_CASE("A strip of a long walk says how many nodes there are, and the tree has all") {
  SearchControl search;
  SearchPage page(search);
  page.resize(800, 600);
  std::vector<LogEntry> entries;
  entries.push_back(event(SubprogramFound{0, {"Conv"}, "y", 1, "p"}));
  entries.push_back(node(0, {0}, {}));
  for (std::size_t i = 0; i < 9'999; ++i) entries.push_back(node(0, {0, i}, {kJoin}));
  search.show(std::move(entries), {}, "a long one");
  CHECK(says(page.scene(), " of 10,000 nodes and programs"));
  CHECK(page.state()["nodes"] == 10'000);
}

TEST_CASE("Jobs that are forgotten are counted") {
  std::vector<std::function<void()>> posted;
  std::mutex mutex;
  Jobs counted(
      [&](std::function<void()> what) {
        const std::lock_guard lock(mutex);
        posted.push_back(std::move(what));
      },
      [] {});
  JobList list(counted);
  for (int i = 0; i < 130; ++i) {
    counted.start("a" + std::to_string(i), "a job",
                  [](const std::stop_token&) -> Result<Delivery> { return Delivery([] {}); });
    while (!counted.is_idle()) {
      const std::lock_guard lock(mutex);
      for (const auto& what : std::exchange(posted, {})) what();
    }
  }
  list.refresh();
  CHECK(list.topLevelItemCount() == 100);
  CHECK(list.headerItem()->text(0) == "job: the last 100 of 130");
}

TEST_CASE("Lines of the log that are gone are counted") {
  MainWindow window(WindowPorts{});
  for (int i = 0; i < 12'000; ++i) window.open_file("nowhere.petsession");
  wait_until_idle(window);
  CHECK(window.findChild<QDockWidget*>("log")->windowTitle() ==
        "Log: the last 10000 of 12000 lines");
}

TEST_CASE("Of many windows that were killed the newest are offered, and all are counted") {
  LeftList list;
  std::vector<LeftSession> left;
  for (int i = 0; i < 7; ++i) left.push_back({"w.petsession", {}, Session()});
  list.show_sessions(left);
  CHECK(list.in_words().endsWith("3 of 7 are shown, the newest"));
  CHECK(list.in_words().count('\n') == 3);
  list.show_sessions({});
  CHECK(list.in_words().isEmpty());
}

// ---- all pages, with more on each than it shows

// "the last 5", "only 64": of how many is left open.
bool hides_how_many(const QString& text) {
  static const QRegularExpression kSome("\\b(first|last|newest|oldest|only|top) [\\d,]+",
                                        QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression kOfAll("[\\d,]+ of [\\d,]+");
  return kSome.match(text).hasMatch() && !kOfAll.match(text).hasMatch();
}

// What stands in the window, wherever.
std::vector<QString> texts_of(QWidget& page) {
  std::vector<QString> out;
  for (const auto* label : page.findChildren<QLabel*>()) out.push_back(label->text());
  for (const auto* pane : page.findChildren<QPlainTextEdit*>()) out.push_back(pane->toPlainText());
  for (const auto* dock : page.findChildren<QDockWidget*>()) out.push_back(dock->windowTitle());
  const auto add = [&](const Scene& scene) {
    for (const Item& item : scene.items)
      if (const auto* label = std::get_if<Label>(&item.shape))
        out.push_back(QString::fromStdString(label->text));
  };
  for (const auto* view : page.findChildren<SceneView*>()) add(view->scene());
  for (const auto* view : page.findChildren<GraphView*>()) add(view->scene());
  return out;
}

int rows_named(const MainWindow& window, const char* name) {
  for (const auto* view : window.findChildren<QAbstractItemView*>())
    if (view->accessibleName() == name) return view->model()->rowCount();
  FAIL("no table " << name);
  return 0;
}

// A subprogram of which a thousand mutants are kept, and what went before.
std::vector<LogEntry> a_long_search(std::size_t mutants) {
  std::vector<LogEntry> out;
  out.push_back(event(SearchStarted{"m", "d", "estimates", 1, 1}));
  out.push_back(event(SubprogramFound{0, {"Conv"}, "y", 1, "p"}));
  out.push_back(node(0, {0}, {}));
  for (std::size_t i = 0; i < mutants; ++i) {
    out.push_back(node(0, {0, i}, {kJoin}));
    out.push_back(event(MutantProposed{0, lineage(i, {kJoin})}));
    out.push_back(event(CandidateKept{0, MutantId(i), 1.5, {}, {}, {}, false}));
  }
  return out;
}

TEST_CASE("With very many verdicts, mutants and events every page says of how many it shows some") {
  constexpr int kPairs = 400;
  constexpr std::size_t kMutants = 5'000;
  auto checker = std::make_shared<test::ToldChecker>();
  WindowPorts ports;
  ports.cross_checker = checker;
  MainWindow window(ports);
  window.search().show(a_long_search(kMutants), {}, "a long one");
  for (int i = 0; i < kPairs; ++i) {
    const std::string name = "pair" + std::to_string(i);
    window.verdicts().add(
        {name, {}, "", "", test::program_called("x"), test::program_called(name)});
  }
  window.show();
  for (const QString& page : window.page_names()) {
    window.show_page(page);
    wait_until_idle(window);
    for (const QString& text : texts_of(window)) {
      INFO(page.toStdString() << ": " << text.toStdString());
      CHECK_FALSE(hides_how_many(text));
    }
  }
  // Tables are never cut.
  CHECK(rows_named(window, "Verdicts: a row for each output of a pair") == kPairs);
  CHECK(rows_named(window, "Mutants") == kMutants);
  CHECK(rows_named(window, "What happened") == 3 + 3 * kMutants);
  CHECK(rows_named(window, "Mutants that were kept") == kMutants);
  // Pictures and filters are, and say so.
  const auto says_in = [&](const char* page, const char* words) {
    window.show_page(page);
    wait_until_idle(window);
    const auto texts = texts_of(window.page());
    return std::ranges::any_of(texts, [&](const QString& text) { return text.contains(words); });
  };
  CHECK(says_in("search", " of 5,001 nodes and programs"));
  CHECK(says_in("rounds", "12 of 5,000 shown"));
  CHECK(says_in("mutants", "5000 mutants"));
  window.actions().at("verdicts.check")->trigger();
  wait_until_idle(window);
  CHECK(says_in("verdicts", "checked 1 of 400"));
}

TEST_CASE("A filter of the mutants says how many of all it leaves") {
  SearchControl search;
  MutantsPage page(search);
  search.show(a_long_search(100), {}, "a long one");
  page.findChild<QLineEdit*>()->setText("M1");
  CHECK(page.state()["headline"] == "11 of 100 mutants");
}

TEST_CASE("What seems to say less than all is told from what says of how many") {
  CHECK(hides_how_many("n: the first 31 cuts"));
  CHECK(hides_how_many("only 64 are shown"));
  CHECK_FALSE(hides_how_many("the last 1,000 of 15,001 nodes"));
  CHECK_FALSE(hides_how_many("the first image"));
}

}  // namespace
}  // namespace pet::viz
