// More than is shown at once, on every page that cuts: how much there is, is said.
#include <QDockWidget>
#include <QEventLoop>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTreeWidget>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/viz/session/a_search.h"
#include "viz/session/jobs.h"
#include "viz/views/job_list.h"
#include "viz/views/left_list.h"
#include "viz/views/main_window.h"
#include "viz/views/regions_page.h"
#include "viz/views/search_control.h"
#include "viz/views/search_page.h"

namespace pet::viz {
namespace {

bool says(const Scene& scene, const std::string& words) {
  return std::ranges::any_of(scene.items, [&](const Item& item) {
    const auto* label = std::get_if<Label>(&item.shape);
    return label != nullptr && label->text.find(words) != std::string::npos;
  });
}

void wait_until_idle(MainWindow& window) {
  QEventLoop loop;
  QObject::connect(&window, &MainWindow::idle, &loop, &QEventLoop::quit);
  window.tell_when_idle();
  loop.exec();
}

// Of [40, 50, 10]: every second element is wrong, in another column of each slice.
InspectedOutput chequered() {
  InspectedOutput out{"y", {{{40}, {50}, {10}}}, {}, {}, {}};
  for (Dim i = 0; i < 40; ++i)
    for (Dim k = 0; k < 50; ++k)
      for (Dim m = 0; m < 10; ++m) {
        const bool is_wrong = (i * k + m) % 7 == i % 5;
        const Box box{{i, k, m}, {i + 1, k + 1, m + 1}};
        out.boxes.push_back({box, is_wrong ? Sameness::Different : Sameness::Equal});
        if (is_wrong) out.wrong.boxes.push_back(box);
      }
  out.wrong.basis = out.basis;
  return out;
}

TEST_CASE("A region of 20,000 boxes shows some slices, says of how many, and the table has all") {
  const WindowPorts nothing;
  Jobs jobs([](const std::function<void()>& what) { what(); }, [] {});
  RegionsPage page(nothing, jobs);
  const InspectedOutput output = chequered();
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

}  // namespace
}  // namespace pet::viz
