// Windows that are killed, in programs of their own.
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <catch2/catch.hpp>
#include <chrono>

#include "core/search/journal.h"
#include "core/util/rng.h"
#include "tests/app/workbench/killed_window.h"
#include "tests/app/workbench/visitor.h"
#include "tests/support/scratch_folder.h"
#include "viz/session/kept_session.h"

namespace pet::app {
namespace {

// What it told, and when.
class Searching {
 public:
  explicit Searching(const std::filesystem::path& folder) {
    program_.start(QCoreApplication::applicationFilePath(),
                   {kKilledWindow, QString::fromStdString(folder.string())});
    REQUIRE(program_.waitForStarted());
    clock_.start();
  }
  Searching(const Searching&) = delete;
  Searching& operator=(const Searching&) = delete;
  ~Searching() {
    program_.kill();
    program_.waitForFinished();
  }

  // Until the journal has so many lines.
  void runs_to(std::size_t lines) {
    while (told_.empty() || told_.back().lines < lines) {
      REQUIRE(program_.state() == QProcess::Running);
      listen(1'000);
    }
  }
  void runs_for(int ms) {
    QElapsedTimer since;
    since.start();
    while (since.elapsed() < ms) listen(static_cast<int>(ms - since.elapsed()));
  }
  void is_killed() {
    killed_ms_ = clock_.elapsed();
    program_.kill();
    REQUIRE(program_.waitForFinished());
    CHECK(program_.exitStatus() == QProcess::CrashExit);
    listen(0);
  }
  std::size_t lines() const { return told_.back().lines; }
  // So long before it was killed.
  std::size_t lines_before(qint64 ms) const {
    std::size_t out = 0;
    for (const Told& told : told_)
      if (told.at_ms <= killed_ms_ - ms) out = told.lines;
    return out;
  }

 private:
  struct Told {
    qint64 at_ms = 0;
    std::size_t lines = 0;
  };
  void listen(int ms) {
    program_.waitForReadyRead(std::max(ms, 0));
    while (program_.canReadLine())
      told_.push_back({clock_.elapsed(), program_.readLine().trimmed().toULongLong()});
  }

  QProcess program_;
  QElapsedTimer clock_;
  std::vector<Told> told_;
  qint64 killed_ms_ = 0;
};

viz::WindowPorts keeping_in(const std::filesystem::path& folder) {
  auto out = visited_ports();
  out.kept = folder / "windows";
  return out;
}

TEST_CASE(
    "A window that is killed while it searches leaves its journal to the last line, and a session "
    "that is two seconds old at most, and the next window goes on from there") {
  Rng random(35);
  for (int round = 0; round < 2; ++round) {
    const testing::ScratchFolder folder;
    Searching searching(folder.path());
    searching.runs_to(10);
    searching.runs_for(2'100 + static_cast<int>(random.below(1'000)));
    searching.is_killed();

    const auto journal = read_journal(folder / "resnet18.journal.jsonl");
    REQUIRE(journal.ok());
    CHECK(journal->entries.size() >= searching.lines());
    CHECK(searching.lines_before(2'000) > 0);

    Visitor next(keeping_in(folder.path()));
    CHECK(next.tells("left") ==
          "A window was ended without being closed: resnet18.journal.jsonl, at the page search");
    const auto left = viz::left_sessions(folder / "windows");
    REQUIRE(left.size() == 1);
    REQUIRE(left[0].session.ok());
    CHECK(left[0].session->cursor >= searching.lines_before(2'000));
    next.does("session.left");
    CHECK(next.window().trouble().empty());
    const viz::Session restored = next.window().session();
    CHECK(restored.source == left[0].session->source);
    CHECK(restored.cursor == left[0].session->cursor);
    CHECK(restored.page == "search");
    CHECK(viz::left_sessions(folder / "windows").empty());
    CHECK_FALSE(std::filesystem::exists(left[0].file));
  }
}

TEST_CASE("A second window reads the journal that another one writes, and takes nothing from it") {
  const testing::ScratchFolder folder;
  Searching searching(folder.path());
  searching.runs_to(10);
  Visitor second(keeping_in(folder.path()));
  CHECK(second.tells("left").empty());
  const auto journal = folder / "resnet18.journal.jsonl";
  second.opens(journal);
  CHECK(second.tells("page") == "Search");
  CHECK(second.window().session().cursor >= 10);
  second.starts_search();
  second.waits();
  INFO(second.window().state());
  CHECK(second.tells("headline").find("a search that runs writes it; choose another name") !=
        std::string::npos);
  searching.runs_to(searching.lines() + 5);
  searching.is_killed();
  const auto content = read_journal(journal);
  REQUIRE(content.ok());
  CHECK(content->entries.size() >= searching.lines());
}

}  // namespace
}  // namespace pet::app
