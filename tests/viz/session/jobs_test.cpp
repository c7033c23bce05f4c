#include "viz/session/jobs.h"

#include <atomic>
#include <catch2/catch.hpp>

#include "core/util/rng.h"
#include "tests/viz/session/loop.h"

namespace pet::viz {
namespace {

Jobs::Work yields(int& target, int value) {
  return [&target, value](const std::stop_token&) -> Result<Delivery> {
    return Delivery([&target, value] { target = value; });
  };
}

// Ends when it is cancelled, and not before.
Jobs::Work endless(int& target) {
  return [&target](const std::stop_token& stop) -> Result<Delivery> {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait(lock, stop, [] { return false; });
    return Delivery([&target] { target = -1; });
  };
}

TEST_CASE("A job delivers its result in the thread of its owner") {
  Loop loop;
  int changes = 0, result = 0;
  Jobs jobs(loop.post(), [&] { ++changes; });
  jobs.start("a", "counting", yields(result, 3));
  CHECK_FALSE(jobs.is_idle());
  CHECK(result == 0);
  loop.run_until([&] { return jobs.is_idle(); });
  CHECK(result == 3);
  CHECK(changes == 2);
  REQUIRE(jobs.list().size() == 1);
  CHECK(jobs.list()[0].state == JobState::Done);
}

TEST_CASE("A newer job of the same purpose replaces the older one, whose result is dropped") {
  Loop loop;
  int first = 0, second = 0, other = 0;
  Jobs jobs(loop.post(), [] {});
  jobs.start("boxes", "first", endless(first));
  jobs.start("other", "other", yields(other, 1));
  jobs.start("boxes", "second", yields(second, 2));
  loop.run_until([&] { return jobs.is_idle(); });
  CHECK(first == 0);
  CHECK(second == 2);
  CHECK(other == 1);
  CHECK(jobs.list()[0].state == JobState::Cancelled);
}

TEST_CASE("What fails says why, and what is stopped is cancelled") {
  Loop loop;
  Jobs jobs(loop.post(), [] {});
  jobs.start("a", "a",
             [](const std::stop_token&) -> Result<Delivery> { return Error{"no such file"}; });
  jobs.start("b", "b", [](const std::stop_token&) -> Result<Delivery> {
    return Error{"stopped", ErrorKind::Stopped};
  });
  loop.run_until([&] { return jobs.is_idle(); });
  CHECK(jobs.list()[0].state == JobState::Failed);
  CHECK(jobs.list()[0].said == "no such file");
  CHECK(jobs.list()[1].state == JobState::Cancelled);
}

TEST_CASE("Whoever goes away while jobs run waits for them, and what comes too late is dropped") {
  Loop loop;
  int result = 0;
  {
    Jobs jobs(loop.post(), [] {});
    jobs.start("a", "a", endless(result));
    jobs.start("b", "b", yields(result, 5));
  }
  loop.run_one();
  loop.run_one();
  CHECK(result == 0);
}

TEST_CASE("Random starts and cancels leave nothing behind") {
  Rng random(1);
  for (int round = 0; round < 50; ++round) {
    Loop loop;
    int result = 0;
    Jobs jobs(loop.post(), [] {});
    std::vector<JobId> started;
    for (int i = 0; i < 8; ++i) {
      const std::string purpose = std::to_string(random.below(3));
      started.push_back(
          jobs.start(purpose, "job", random.below(2) == 0 ? endless(result) : yields(result, 1)));
      if (random.below(3) == 0) jobs.cancel(started[random.below(started.size())]);
      if (random.below(4) == 0 && !jobs.is_idle() && random.below(2) == 0)
        jobs.cancel(started.back());
    }
    for (const JobId id : started) jobs.cancel(id);
    loop.run_until([&] { return jobs.is_idle(); });
    CHECK(result >= 0);
  }
}

}  // namespace
}  // namespace pet::viz
