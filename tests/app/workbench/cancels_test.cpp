// Work that is cancelled, and windows that are closed, at moments drawn at random: each is idle
// within a second.
#include <QElapsedTimer>
#include <array>
#include <catch2/catch.hpp>
#include <ctime>

#include "core/util/rng.h"
#include "tests/app/workbench/visitor.h"
#include "viz/views/export_page.h"
#include "viz/views/search_control.h"

namespace pet::app {
namespace {

constexpr double kLongest = 1'000;       // ms of its own time until it is idle
constexpr qint64 kLongestWait = 20'000;  // ms on a machine where others work, too
constexpr std::uint64_t kLatest = 60;    // ms until it is cancelled

// What other programs take does not count.
class Clock {
 public:
  Clock() { wall_.start(); }
  void check() const {
    CHECK(own_ms() - since_ <= kLongest);
    CHECK(wall_.elapsed() <= kLongestWait);
  }

 private:
  static double own_ms() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
  }

  QElapsedTimer wall_;
  double since_ = own_ms();
};

using Start = std::function<void(Visitor&)>;

// Whatever is asked for while nothing else is open.
const std::vector<Start>& openings() {
  static const std::vector<Start> all = {
      [](Visitor& v) { v.later([&v] { v.window().open_file(built("resnet18")); }); },
      [](Visitor& v) { v.later([&v] { v.window().open_file(built("densenet121")); }); },
      [](Visitor& v) { v.later([&v] { v.window().open_file(built("pair")); }); }};
  return all;
}

// Of a pair that is wrong in part, the mutant of a model.
const std::vector<Start>& questions() {
  static const std::vector<Start> all = {
      [](Visitor& v) { v.starts("verdicts.check_all"); },
      [](Visitor& v) { v.starts("verdicts.plant"); },
      [](Visitor& v) { v.starts("mutants.open"), v.starts("page.boxes"); },
      [](Visitor& v) { v.starts("mutants.open"), v.starts("page.correction"); },
      [](Visitor& v) { v.starts("mutants.open"), v.starts("page.profile"); },
      [](Visitor& v) { v.starts("mutants.open"), v.starts("regions.next"); },
      [](Visitor& v) { v.starts("correction.apply"); },
      [](Visitor& v) {
        v.later([&v] { v.the<viz::ExportPage>().export_this(scratch() / "this.onnx"); });
      }};
  return all;
}

void open_a_mutant(Visitor& visitor) {
  visitor.opens_example("pair");
  visitor.does("search.partial");
  visitor.does("mutants.open");
  visitor.does("page.export");
  REQUIRE(visitor.tells("this") == "true");
}

// How many of the moments hit something that still ran.
struct Cancelled {
  int hits = 0, all = 0;
};

void cancel_at_random(Visitor& visitor, const Start& start, const std::string& how, Rng& random,
                      Cancelled& out) {
  start(visitor);
  Visitor::lets_pass(static_cast<int>(random.below(kLatest)));
  ++out.all;
  if (!visitor.window().is_idle()) ++out.hits;
  const Clock clock;
  visitor.starts(how);
  visitor.waits();
  INFO(visitor.window().state());
  clock.check();
}

Cancelled cancel(int times, std::uint64_t seed) {
  Cancelled out;
  Rng random(seed);
  Visitor visitor;
  const auto one_of = [&](const std::vector<Start>& all) { return all[random.below(all.size())]; };
  for (int i = 0; i < times / 3; ++i)
    cancel_at_random(visitor, one_of(openings()), "jobs.cancel", random, out);
  for (int i = 0; i < times / 3; ++i) {
    visitor.opens_example("pair");
    cancel_at_random(
        visitor, [](Visitor& v) { v.starts("search.run"); },
        random.below(2) == 0 ? "search.pause" : "search.stop", random, out);
  }
  open_a_mutant(visitor);
  for (int i = out.all; i < times; ++i)
    cancel_at_random(visitor, one_of(questions()), "jobs.cancel", random, out);
  return out;
}

void close(int times, std::uint64_t seed) {
  Rng random(seed);
  for (int i = 0; i < times; ++i) {
    std::optional<Visitor> visitor(std::in_place);
    const auto kind = random.below(3);
    if (kind == 0) {
      openings()[random.below(openings().size())](*visitor);
    } else if (kind == 1) {
      visitor->opens_example("pair");
      visitor->starts("search.run");
    } else {
      open_a_mutant(*visitor);
      questions()[random.below(questions().size())](*visitor);
    }
    Visitor::lets_pass(static_cast<int>(random.below(kLatest)));
    const Clock clock;
    visitor.reset();
    INFO("kind " << kind << ", time " << i);
    clock.check();
  }
}

TEST_CASE("What is cancelled at any moment is idle within a second") {
  const Cancelled done = cancel(30, 1);
  CHECK(done.hits * 10 >= done.all);  // most are too late on a fast machine
}

TEST_CASE("A window that is closed at any moment is gone within a second") { close(8, 2); }

TEST_CASE("200 cancels and 50 closes", "[.full]") {
  const Cancelled done = cancel(200, 3);
  CHECK(done.hits * 10 >= done.all);  // most are too late on a fast machine
  close(50, 4);
}

}  // namespace
}  // namespace pet::app
