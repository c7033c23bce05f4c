#include "verify/rounding/rounding_risk.h"

#include <catch2/catch.hpp>
#include <functional>

#include "tests/support/sketch.h"

using namespace pet;
using pet::test::Sketch;

namespace {

// Yields its outputs; x and z are [4, 6].
using Program = std::function<std::vector<NodeId>(Sketch&, NodeId x, NodeId z)>;

SumsOfProgram sums(const Program& program) {
  Sketch s;
  const NodeId x = s.input("x", {4, 6});
  const NodeId z = s.input("z", {4, 6});
  const auto outputs = program(s, x, z);
  return sums_of(std::move(s).finish(outputs));
}

bool may_cancel(const Program& original, const Program& mutant) {
  return may_cancel_unseen(sums(original), sums(mutant));
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
  CHECK(may_cancel_in_one(sums(one), sums(in_three)));
}

TEST_CASE("Of sums with both signs there may be no more than in the original") {
  const auto centred = [](Sketch& s, NodeId x) {
    return s.op("Sub", {x, s.op("ReduceMean", {{"axes", Ints{1}}}, {x})});
  };
  const Program once = [=](Sketch& s, NodeId x, NodeId) {
    return std::vector{s.op("Mul", {centred(s, x), x})};
  };
  const Program twice = [=](Sketch& s, NodeId x, NodeId) {
    const NodeId doubled = s.op("Add", {x, x});
    const NodeId same = s.op("Sub", {s.op("Add", {doubled, x}), doubled});
    return std::vector{s.op("Mul", {centred(s, x), same})};
  };
  CHECK(may_cancel_in_one(sums(once), sums(twice)));
  CHECK(!may_cancel_in_one(sums(once), sums(once)));
}

TEST_CASE("Which of several products of one tensor adds the constants does not matter") {
  const Program one_product = [](Sketch& s, NodeId x, NodeId) {
    const NodeId shifted = s.op("Add", {times(s, x, {6, 6}), s.ramp({6})});
    return std::vector{s.op("Add", {s.op("Relu", {shifted}), shifted})};
  };
  const Program in_three = [](Sketch& s, NodeId x, NodeId) {
    const NodeId shifted = s.op("Add", {times(s, x, {6, 6}), s.ramp({6})});
    const NodeId two = s.op("Add", {times(s, x, {6, 6}), shifted});
    const NodeId three = s.op("Sub", {two, times(s, x, {6, 6})});
    return std::vector{s.op("Add", {s.op("Relu", {three}), three})};
  };
  CHECK(!may_cancel(one_product, in_three));
  const Program other_tensor = [](Sketch& s, NodeId x, NodeId z) {
    const NodeId shifted = s.op("Add", {times(s, x, {6, 6}), s.ramp({6})});
    const NodeId two = s.op("Add", {times(s, z, {6, 6}), shifted});
    const NodeId three = s.op("Sub", {two, times(s, z, {6, 6})});
    return std::vector{s.op("Add", {s.op("Relu", {three}), three})};
  };
  CHECK(may_cancel(one_product, other_tensor));
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

TEST_CASE("A bias of sums over products is added at once, or afterwards") {
  const Program at_once = [](Sketch& s, NodeId x, NodeId z) {
    return std::vector{s.op("Gemm", {s.op("Mul", {x, z}), s.ramp({6, 6}), s.ramp({6})})};
  };
  const Program afterwards = [](Sketch& s, NodeId x, NodeId z) {
    return std::vector{s.op("Add", {s.ramp({6}), times(s, s.op("Mul", {x, z}), {6, 6})})};
  };
  const Program without = [](Sketch& s, NodeId x, NodeId z) {
    return std::vector{times(s, s.op("Mul", {x, z}), {6, 6})};
  };
  CHECK(!may_cancel(at_once, afterwards));
  CHECK(!may_cancel(afterwards, at_once));
  CHECK(!may_cancel(at_once, without));
  CHECK(may_cancel(without, at_once));
  CHECK(may_cancel(without, afterwards));
  // Something large that is taken away again.
  const Program there_and_back = [&](Sketch& s, NodeId x, NodeId z) {
    const NodeId far = s.op("Add", {at_once(s, x, z)[0], s.scalar(1000)});
    return std::vector{s.op("Sub", {far, s.scalar(1000)})};
  };
  CHECK(may_cancel(at_once, there_and_back));
  CHECK(may_cancel(afterwards, there_and_back));
  // Another product behind the first is another sum.
  const Program twice = [&](Sketch& s, NodeId x, NodeId z) {
    return std::vector{s.op("Add", {s.ramp({6}), times(s, without(s, x, z)[0], {6, 6})})};
  };
  CHECK(may_cancel(at_once, twice));
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

TEST_CASE("Of what was concatenated each piece is summed for itself") {
  const Program apart = [](Sketch& s, NodeId x, NodeId z) {
    return std::vector{s.op("MatMul", {x, s.transpose(x, {1, 0})}),
                       s.op("MatMul", {z, s.transpose(z, {1, 0})})};
  };
  const Program in_one_batch = [](Sketch& s, NodeId x, NodeId z) {
    const NodeId rows = s.concat({s.reshape(x, {1, 4, 6}), s.reshape(z, {1, 4, 6})}, 0);
    const NodeId both = s.op("MatMul", {rows, s.transpose(rows, {0, 2, 1})});
    return std::vector{s.reshape(s.slice(both, 0, 0, 1), {4, 4}),
                       s.reshape(s.slice(both, 0, 1, 2), {4, 4})};
  };
  CHECK(!may_cancel(apart, in_one_batch));
  // The same with one output of the other's piece.
  const Program swapped = [&](Sketch& s, NodeId x, NodeId z) { return in_one_batch(s, z, x); };
  CHECK(may_cancel(apart, swapped));

  const Program sums = [](Sketch& s, NodeId x, NodeId z) {
    const NodeId both = s.op("Add", {x, z});
    return std::vector{s.op("Add", {both, x}), x};
  };
  const Program piecewise = [](Sketch& s, NodeId x, NodeId z) {
    const NodeId left = s.concat({x, x}, 1);
    const NodeId right = s.concat({z, x}, 1);
    const NodeId sum = s.op("Add", {left, right});  // of x and z, and of x alone
    return std::vector{s.op("Add", {s.slice(sum, 1, 0, 6), x}),
                       s.op("Mul", {s.slice(sum, 1, 6, 12), s.scalar(0.5F)})};
  };
  CHECK(!may_cancel(sums, piecewise));
}

TEST_CASE("Pieces that are summed together may cancel, wherever they stood") {
  const Program first = [](Sketch&, NodeId x, NodeId) { return std::vector{x}; };
  const auto pair = [](Sketch& s, NodeId x, NodeId z, std::size_t axis) {
    return s.concat({s.op("Add", {x, z}), z}, axis);
  };
  // Two pieces of one value.
  const Program slices = [&](Sketch& s, NodeId x, NodeId z) {
    const NodeId both = pair(s, x, z, 0);
    return std::vector{s.op("Sub", {s.slice(both, 0, 0, 4), s.slice(both, 0, 4, 8)})};
  };
  CHECK(may_cancel(first, slices));
  // A slice over the joint, a sum over the axis, a layout in which the pieces cannot be told.
  const Program over_the_joint = [&](Sketch& s, NodeId x, NodeId z) {
    const NodeId both = s.concat({x, z}, 0);
    return std::vector{s.op("ReduceSum", {{"axes", Ints{0}}}, {s.slice(both, 0, 3, 5)})};
  };
  const Program along = [&](Sketch& s, NodeId x, NodeId z) {
    return std::vector{s.op("ReduceSum", {{"axes", Ints{1}}}, {s.concat({x, z}, 1)})};
  };
  const Program interleaved = [&](Sketch& s, NodeId x, NodeId z) {
    const NodeId both = s.concat({s.reshape(x, {4, 6, 1}), s.reshape(z, {4, 6, 1})}, 2);
    return std::vector{s.op("ReduceSum", {{"axes", Ints{1}}}, {s.reshape(both, {6, 8})})};
  };
  const Program alone = [&](Sketch& s, NodeId x, NodeId) {
    return std::vector{s.op("ReduceSum", {{"axes", Ints{0}}}, {x})};
  };
  CHECK(may_cancel(alone, over_the_joint));
  CHECK(may_cancel(alone, along));
  CHECK(may_cancel(alone, interleaved));
  // Behind a padding, backwards, in steps: still of both.
  const Program backwards = [&](Sketch& s, NodeId x, NodeId z) {
    const NodeId turned = s.op(
        "Slice", {{"axes", Ints{0}}, {"starts", Ints{7}}, {"ends", Ints{-1}}, {"steps", Ints{-1}}},
        {s.concat({x, z}, 0)});
    const NodeId second = s.slice(turned, 0, 0, 4);  // of z
    return std::vector{s.op("Sub", {s.op("Add", {x, second}), z})};
  };
  CHECK(may_cancel(first, backwards));
}

// A grouped convolution of two images' channels is what two convolutions are.
TEST_CASE("Groups read the channels of their own piece") {
  const auto image = [](Sketch& s, NodeId x) { return s.reshape(x, {1, 4, 2, 3}); };
  const auto kernels = [](Sketch& s, NodeId x) {
    return s.reshape(s.slice(s.transpose(x, {1, 0}), 0, 0, 4), {4, 4, 1, 1});
  };
  const auto convolved = [](Sketch& s, NodeId x, NodeId w, Dim groups) {
    return s.op("Conv", {{"group", groups}}, {x, w});
  };
  const Program two = [&](Sketch& s, NodeId x, NodeId z) {
    return std::vector{convolved(s, image(s, x), kernels(s, z), 1),
                       convolved(s, image(s, z), kernels(s, x), 1)};
  };
  const auto grouped = [&](Sketch& s, NodeId x, NodeId z, bool swapped) {
    const NodeId w = swapped ? s.concat({kernels(s, x), kernels(s, z)}, 0)
                             : s.concat({kernels(s, z), kernels(s, x)}, 0);
    const NodeId both = convolved(s, s.concat({image(s, x), image(s, z)}, 1), w, 2);
    return std::vector{s.slice(both, 1, 0, 4), s.slice(both, 1, 4, 8)};
  };
  CHECK(!may_cancel(two, [&](Sketch& s, NodeId x, NodeId z) { return grouped(s, x, z, false); }));
  CHECK(may_cancel(two, [&](Sketch& s, NodeId x, NodeId z) { return grouped(s, x, z, true); }));
}
