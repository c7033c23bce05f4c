#include "viz/views/profile_page.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QTableView>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/viz/geometry/stored.h"
#include "viz/views/actions.h"

namespace pet::viz {
namespace {

AttributedTime took(std::string name, double ms) {
  return {.named_after = NamedAfter::Node,
          .name = std::move(name),
          .type = "Conv",
          .ms = ms,
          .share = 0.5,
          .samples = 3};
}

// A target that measures at once: of two programs the second takes half the time.
ProfilePorts ports() {
  ProfilePorts out;
  out.targets = {"fake", "other"};
  out.prepare = [](const Opened&, const std::filesystem::path&,
                   const std::stop_token&) -> Result<PreparedPrograms> {
    return PreparedPrograms{{{"original", {took("a", 2)}}, {"mutant", {took("a", 1)}}}, {}, {}};
  };
  out.measure = [](const PreparedPrograms&, const std::string& target, Memory memory,
                   const std::stop_token&) -> Result<MeasuredWhole> {
    MeasuredWhole answer{{}, target + " 1 on none, 1 threads"};
    answer.times.comparison.timing = {std::vector<double>(20, 2), std::vector<double>(20, 1)};
    answer.times.comparison.ratio = {2, 1.9, 2.1};
    answer.times.comparison.decision = Decision::Faster;
    answer.times.is_remembered = memory == Memory::Asked;
    return answer;
  };
  out.record = [](const PreparedPrograms&, const std::string&,
                  const std::stop_token&) -> Result<MeasuredOperators> {
    return Error{"times by operator are not offered by fake", ErrorKind::Unsupported};
  };
  return out;
}

// A page with jobs, as the window has them.
struct Stand {
  explicit Stand(ProfilePorts some)
      : jobs(
            [this](std::function<void()> what) {
              QMetaObject::invokeMethod(&owner, std::move(what), Qt::QueuedConnection);
            },
            [] {}),
        page(jobs, std::move(some)) {
    page.add_actions(actions);
  }

  void open() {
    Opened what;
    what.pair = std::make_shared<const OpenedPair>();
    page.show_opened(what);
    page.bring_up();
    wait();
  }
  void run(const char* id) {
    actions.at(id)->trigger();
    wait();
  }
  void wait() {
    do {
      QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    } while (!jobs.is_idle());
    QCoreApplication::processEvents();
  }
  std::string state(const char* what) const { return page.state()[what].get<std::string>(); }

  QObject owner;
  Actions actions;
  Jobs jobs;
  ProfilePage page;
};

TEST_CASE("The Profile page shows estimates at once, and what was measured once it was") {
  Stand stand(ports());
  CHECK(stand.page.scene().items.empty());
  stand.open();
  CHECK(stand.state("headline") ==
        "modelled: mutant is 2.00x as fast as original; nothing was measured");
  CHECK(stand.state("whole") == "missing: not measured yet");
  CHECK_FALSE(stand.page.scene().items.empty());
  stand.run("profile.afresh");
  CHECK(stand.state("headline") ==
        "measured: mutant is 2.000x as fast as original (1.900 to 2.100): faster, 20 rounds");
  CHECK(stand.state("whole") == "measured");
  CHECK(stand.state("target") == "fake 1 on none, 1 threads");
  stand.run("profile.measure");
  CHECK(stand.state("whole") == "remembered");
}

TEST_CASE("What a worker does not offer, and why it failed, is said; another try may go well") {
  bool is_broken = true;
  ProfilePorts some = ports();
  some.measure = [&, good = some.measure](const PreparedPrograms& programs,
                                          const std::string& target, Memory memory,
                                          const std::stop_token& stop) -> Result<MeasuredWhole> {
    if (is_broken) return Error{"the worker was ended by signal 11", ErrorKind::Tool};
    return good(programs, target, memory, stop);
  };
  Stand stand(std::move(some));
  stand.open();
  stand.run("profile.operators");
  CHECK(stand.state("operators") == "missing: times by operator are not offered by fake");
  stand.run("profile.measure");
  CHECK(stand.state("whole") == "missing: the worker was ended by signal 11");
  is_broken = false;
  stand.run("profile.measure");
  CHECK(stand.state("whole") == "remembered");
}

TEST_CASE("A measurement that is cancelled is missing, and another target begins anew") {
  ProfilePorts some = ports();
  some.record = [](const PreparedPrograms&, const std::string&,
                   const std::stop_token& stop) -> Result<MeasuredOperators> {
    while (!stop.stop_requested()) std::this_thread::yield();
    return Error{"stopped", ErrorKind::Stopped};
  };
  Stand stand(std::move(some));
  stand.open();
  stand.run("profile.measure");
  stand.actions.at("profile.operators")->trigger();
  CHECK(stand.state("operators") == "missing: being measured");
  for (const Job& job : stand.jobs.list()) stand.jobs.cancel(job.id);
  stand.wait();
  CHECK(stand.state("operators") == "missing: stopped");
  stand.page.findChildren<QComboBox*>().front()->setCurrentIndex(1);
  CHECK(stand.state("whole") == "missing: not measured on this target yet");
}

TEST_CASE("An answer that comes too late, for what was open before, is not shown") {
  ProfilePorts some = ports();
  std::atomic<bool> may_end = false;
  some.measure = [&, good = some.measure](const PreparedPrograms& programs,
                                          const std::string& target, Memory memory,
                                          const std::stop_token& stop) -> Result<MeasuredWhole> {
    while (!may_end) std::this_thread::yield();
    return good(programs, target, memory, stop);
  };
  Stand stand(std::move(some));
  stand.open();
  stand.actions.at("profile.measure")->trigger();
  Opened what;
  what.pair = std::make_shared<const OpenedPair>();
  stand.page.show_opened(what);
  stand.page.bring_up();
  may_end = true;
  stand.wait();
  CHECK(stand.state("whole") == "missing: not measured yet");
}

TEST_CASE(
    "The table of the Profile page has a line for each bar, and goes along with the picture") {
  Stand stand(ports());
  stand.open();
  auto* table = stand.page.findChild<QTableView*>();
  const QAbstractItemModelTester tester(table->model(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  stand.run("profile.measure");
  QString words;
  QObject::connect(&stand.page, &Page::selected, [&](const QString& said) { words = said; });
  REQUIRE(table->model()->rowCount() == 6);
  CHECK(table->model()->index(1, 1).data() == "mutant");
  CHECK(table->model()->index(1, 2).data() == "1.00 ms");
  CHECK(table->model()->index(1, 7).data() == "remembered");
  table->setCurrentIndex(table->model()->index(3, 0));
  CHECK(words.contains("1.00 ms, modelled"));
}

TEST_CASE("A stored profile is shown comparison by comparison, and nothing of it is measured") {
  const Stored stored({{"A", "B", 1, 0.5}, {"C", "D", 10, 5}});
  Stand stand(ports());
  QString words;
  QObject::connect(&stand.page, &Page::selected, [&](const QString& said) { words = said; });
  Opened what;
  what.profile = std::make_shared<const StoredProfile>(stored.profile);
  stand.page.show_opened(what);
  stand.page.bring_up();
  CHECK(stand.state("headline") == "2 comparisons of cuda on a GPU, in fp32");
  auto* table = stand.page.findChild<QTableView*>();
  const QAbstractItemModelTester tester(table->model(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  REQUIRE(table->model()->rowCount() == 2);
  CHECK(table->model()->index(0, 0).data() == "1 C of float[2]");
  CHECK(table->model()->index(0, 5).data() == "10.0 ms");
  CHECK(table->model()->index(1, 2).data() == "2.000");
  CHECK(table->model()->index(1, 3).data() == "1.800 to 2.200");
  CHECK(table->model()->index(1, 8).data() == "2026-11-29T01:07:00Z");
  table->setCurrentIndex(table->model()->index(1, 0));
  CHECK(words.contains("0 in float[2]; 1 B(0); out 1"));
  for (const char* id : {"profile.measure", "profile.afresh", "profile.operators"}) stand.run(id);
  CHECK(stand.page.state()["lines"] == 2);
  CHECK_FALSE(stand.page.findChildren<QComboBox*>().front()->isVisibleTo(&stand.page));
  // What is opened next is shown as before.
  stand.open();
  CHECK(stand.state("whole") == "missing: not measured yet");
  CHECK(table->model()->columnCount() == 9);
  CHECK(stand.page.findChildren<QComboBox*>().front()->isVisibleTo(&stand.page));
}

TEST_CASE("What cannot be prepared says why") {
  ProfilePorts some = ports();
  some.prepare = [](const Opened&, const std::filesystem::path&,
                    const std::stop_token&) -> Result<PreparedPrograms> {
    return Error{"an opaque node cannot be written anew", ErrorKind::Unsupported};
  };
  Stand stand(std::move(some));
  stand.open();
  CHECK(stand.state("headline") ==
        "Nothing can be measured: an opaque node cannot be written anew");
  stand.run("profile.measure");
  CHECK(stand.page.state()["programs"] == 0);
}

}  // namespace
}  // namespace pet::viz
