// Over the reals 0 times anything is 0. In a runtime it is not, where that is undefined or
// infinite.
#include <catch2/catch.hpp>
#include <functional>

#include "tests/support/sketch.h"
#include "verify/exact/exact_engine.h"
#include "verify/pairs/bitmap_checker.h"

using namespace pet;
using pet::test::Sketch;

namespace {

using Program = std::function<std::vector<NodeId>(Sketch&)>;

Graph graph_of(const Program& program) {
  Sketch sketch;
  const auto outputs = program(sketch);
  return std::move(sketch).finish(outputs);
}

Verdict check(auto&& engine, const Program& original, const Program& mutant) {
  return engine.check(graph_of(original), graph_of(mutant), {});
}

// The middle tap alone, or three of which two meet nothing but padding; beside it what they are.
Program convolved(bool is_padded) {
  return [is_padded](Sketch& s) {
    const NodeId x = s.input("x", {1, 1, 1});
    const NodeId logs = s.op("Log", {s.input("w", {1, 1, 3})});
    const NodeId y = is_padded ? s.op("Conv", Attrs{{"pads", Ints{1, 1}}}, {x, logs})
                               : s.op("Conv", {x, s.slice(logs, 2, 1, 2)});
    return std::vector{y, logs};
  };
}

NodeId doubled(Sketch& s, NodeId x, Dim rows) {
  return s.op("Resize", Attrs{{"mode", std::string("linear")}, {"sizes", Ints{rows, 6}}}, {x});
}

}  // namespace

TEST_CASE("A weight that meets nothing but padding may be undefined") {
  CHECK(check(BitmapChecker(), convolved(false), convolved(true)).outcome == Outcome::Unknown);
  CHECK(check(ExactEngine(), convolved(false), convolved(true)).outcome == Outcome::Unknown);
  CHECK(check(BitmapChecker(), convolved(true), convolved(false)).outcome == Outcome::Equivalent);
  CHECK(check(ExactEngine(), convolved(true), convolved(false)).outcome == Outcome::Equivalent);
}

TEST_CASE("The neighbour that a resize gives no weight may be infinite") {
  const Program first = [](Sketch& s) {
    const NodeId x = s.slice(s.input("x", {2, 3}), 0, 0, 1);
    return std::vector{doubled(s, s.op("Exp", {x}), 1)};
  };
  const Program both = [](Sketch& s) {
    const NodeId x = s.op("Exp", {s.input("x", {2, 3})});
    return std::vector{s.slice(doubled(s, x, 2), 0, 0, 1)};
  };
  CHECK(check(BitmapChecker(), first, both).outcome == Outcome::Unknown);
  CHECK(check(BitmapChecker(), both, first).outcome == Outcome::Equivalent);
}

// Too large to be run with drawn errors: nobody else sees it.
TEST_CASE("In large programs the neighbour without weight may be infinite, too") {
  const auto resized = [](bool is_whole) -> Program {
    return [is_whole](Sketch& s) {
      const NodeId x = s.op("Exp", {s.input("x", {16, 32768})});
      const auto twice_as_wide = [&](NodeId of, Dim rows) {
        return s.op("Resize", Attrs{{"mode", std::string("linear")}, {"sizes", Ints{rows, 65536}}},
                    {of});
      };
      const NodeId y =
          is_whole ? s.slice(twice_as_wide(x, 16), 0, 0, 1) : twice_as_wide(s.slice(x, 0, 0, 1), 1);
      return std::vector{y, x};
    };
  };
  CHECK(check(BitmapChecker(), resized(false), resized(true)).outcome == Outcome::Unknown);
  CHECK(check(BitmapChecker(), resized(true), resized(false)).outcome == Outcome::Equivalent);
}

TEST_CASE("A resize that changes nothing reads no neighbours") {
  const auto resized = [](Dim columns) -> Program {
    return [columns](Sketch& s) {
      const NodeId x = s.op("Exp", {s.input("x", {1, 2})});
      const Attrs sizes{{"mode", std::string("linear")}, {"sizes", Ints{1, columns}}};
      return std::vector{s.slice(s.op("Resize", sizes, {x}), 1, 0, 1)};
    };
  };
  CHECK(check(BitmapChecker(), resized(2), resized(4)).outcome == Outcome::Unknown);
  CHECK(check(BitmapChecker(), resized(4), resized(2)).outcome == Outcome::Equivalent);
}

TEST_CASE(
    "Resized in another layout, what every neighbour weighs somewhere is as finite as before") {
  const auto resized = [](bool is_turned) -> Program {
    return [is_turned](Sketch& s) {
      const NodeId x = s.op("Exp", {s.input("x", {2, 3})});
      if (!is_turned) return std::vector{doubled(s, x, 4)};
      const NodeId turned = s.transpose(x, {1, 0});
      const Attrs sizes{{"mode", std::string("linear")}, {"sizes", Ints{6, 4}}};
      return std::vector{s.transpose(s.op("Resize", sizes, {turned}), {1, 0})};
    };
  };
  CHECK(check(BitmapChecker(), resized(false), resized(true)).outcome == Outcome::Equivalent);
}
