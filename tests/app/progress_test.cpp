#include "app/common/progress.h"

#include <catch2/catch.hpp>

namespace pet::app {
namespace {

using namespace std::chrono_literals;

// What was told, for a test that waits for it.
class Log {
 public:
  Progress::Tell tell() {
    return [this](std::string_view text) {
      const std::lock_guard lock(mutex_);
      text_ += text;
      changed_.notify_all();
    };
  }
  bool waits_for(const std::string& part) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 20s, [&] { return text_.find(part) != std::string::npos; });
  }
  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
};

TEST_CASE("What is not counted has no number") {
  CHECK(how_far("places by symmetry", 0) == "places by symmetry");
  CHECK(how_far("drawn errors", 0.416) == "drawn errors, 42 %");
  CHECK(how_far("drawn errors", 1) == "drawn errors, 100 %");
}

TEST_CASE("On a terminal every line takes the place of the one before") {
  Log log;
  const Progress progress(true, 1ms, log.tell());
  progress.show("reading");
  progress.show("proving");
  progress.clear();
  CHECK(log.text() == "\r\033[Kreading\r\033[Kproving\r\033[K");
  CHECK(progress.erasing() == "\r\033[K");
}

TEST_CASE("Elsewhere the latest line is told again and again, each time with its end") {
  Log log;
  const Progress progress(false, 5ms, log.tell());
  progress.show("reading");
  progress.show("proving, 3 %");
  CHECK(log.waits_for(" s: proving, 3 %\nafter "));
  CHECK(log.text().starts_with("after "));
  CHECK(progress.erasing().empty());
}

TEST_CASE("Nothing is told elsewhere before the time, and nothing of what is over") {
  Log log;
  {
    const Progress progress(false, 1h, log.tell());
    progress.show("reading");
  }
  CHECK(log.text().empty());
  const Progress progress(false, 5ms, log.tell());
  progress.show("proving");
  CHECK(log.waits_for("proving\n"));
  progress.clear();
  const std::string told = log.text();
  std::this_thread::sleep_for(50ms);
  CHECK(log.text() == told);
}

}  // namespace
}  // namespace pet::app
