#include "verify/rounding_risk.h"

#include <catch2/catch.hpp>
#include <functional>

#include "tests/support/sketch.h"

using namespace pet;
using pet::test::Sketch;

namespace {

// Yields its outputs; x and z are [4, 6].
using Program = std::function<std::vector<NodeId>(Sketch&, NodeId x, NodeId z)>;

bool may_cancel(const Program& original, const Program& mutant) {
  const auto graph = [](const Program& program) {
    Sketch s;
    const NodeId x = s.input("x", {4, 6});
    const NodeId z = s.input("z", {4, 6});
    const auto outputs = program(s, x, z);
    return std::move(s).finish(outputs);
  };
  return may_cancel_unseen(graph(original), graph(mutant));
}

NodeId times(Sketch& s, NodeId x, Shape weight) {
  return s.op("MatMul", {x, s.ramp(std::move(weight))});
}

}  // namespace

TEST_CASE("Another layout sums nothing else") {
  const Program block = [](Sketch& s, NodeId x, NodeId) {
    const NodeId first = s.op("Relu", {times(s, x, {6, 6})});
    return std::vector{s.op("Add", {times(s, first, {6, 6}), x})};
  };
  const Program transposed = [](Sketch& s, NodeId x, NodeId) {
    const NodeId columns = s.transpose(x, {1, 0});
    const auto by = [&](NodeId y) { return s.op("MatMul", {s.ramp({6, 6}), y}); };
    const NodeId first = s.op("Relu", {by(columns)});
    const NodeId halves =
        s.concat({s.slice(first, 0, 0, 3), s.slice(first, 0, 3, 6)}, 0);  // as it was
    return std::vector{s.transpose(s.op("Add", {columns, by(halves)}), {1, 0})};
  };
  CHECK(!may_cancel(block, transposed));
}

TEST_CASE("What sums one tensor alone, times constants, is seen by its sizes") {
  const Program one = [](Sketch& s, NodeId x, NodeId) { return std::vector{times(s, x, {6, 6})}; };
  const Program in_three = [](Sketch& s, NodeId x, NodeId) {
    const NodeId much = s.op("Mul", {x, s.scalar(3)});
    return std::vector{times(s, s.op("Sub", {much, s.op("Add", {x, x})}), {6, 6})};
  };
  CHECK(!may_cancel(one, in_three));
}

TEST_CASE("Another sum over two tensors may cancel") {
  const Program first = [](Sketch&, NodeId x, NodeId) { return std::vector{x}; };
  const Program there_and_back = [](Sketch& s, NodeId x, NodeId z) {
    return std::vector{s.op("Sub", {s.op("Add", {x, z}), z})};
  };
  CHECK(may_cancel(first, there_and_back));
  const Program result = [](Sketch& s, NodeId x, NodeId) {
    const NodeId e = s.op("Exp", {x});
    return std::vector{s.op("Sub", {s.op("Add", {x, e}), e})};
  };
  CHECK(may_cancel(first, result));
}

TEST_CASE("Other sums over products may cancel, of one tensor too") {
  const auto square = [](Sketch& s, NodeId x) { return s.op("Mul", {x, x}); };
  const auto mean = [](Sketch& s, NodeId x) {
    return s.op("ReduceMean", {{"axes", Ints{1}}}, {x});
  };
  const Program in_two_steps = [=](Sketch& s, NodeId x, NodeId) {
    return std::vector{mean(s, square(s, s.op("Sub", {x, mean(s, x)})))};
  };
  const Program in_one = [=](Sketch& s, NodeId x, NodeId) {
    return std::vector{s.op("Sub", {mean(s, square(s, x)), square(s, mean(s, x))})};
  };
  CHECK(may_cancel(in_two_steps, in_one));
  const Program neighbours = [=](Sketch& s, NodeId x, NodeId) {
    const NodeId a = s.slice(x, 0, 0, 2);
    const NodeId b = s.slice(x, 0, 2, 4);
    return std::vector{s.op("Mul", {s.op("Sub", {a, b}), s.op("Add", {a, b})})};
  };
  const Program difference_of_squares = [=](Sketch& s, NodeId x, NodeId) {
    return std::vector{
        s.op("Sub", {square(s, s.slice(x, 0, 0, 2)), square(s, s.slice(x, 0, 2, 4))})};
  };
  CHECK(may_cancel(neighbours, difference_of_squares));
}

TEST_CASE("What the original sums for another output, or for none, is another sum") {
  const Program apart = [](Sketch& s, NodeId x, NodeId z) {
    return std::vector{x, s.op("Add", {x, z})};
  };
  const Program swapped = [](Sketch& s, NodeId x, NodeId z) {
    const NodeId sum = s.op("Add", {x, z});
    return std::vector{s.op("Sub", {sum, z}), sum};
  };
  CHECK(may_cancel(apart, swapped));
  const Program beside = [](Sketch& s, NodeId x, NodeId z) {
    s.op("Sub", {s.op("Add", {x, z}), z});
    return std::vector{x};
  };
  const Program through = [](Sketch& s, NodeId x, NodeId z) {
    return std::vector{s.op("Sub", {s.op("Add", {x, z}), z})};
  };
  CHECK(may_cancel(beside, through));
}
