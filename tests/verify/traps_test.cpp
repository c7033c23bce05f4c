// Pairs that a careless checker takes for equal (theory: section 2), each put to every engine by
// itself. None may call a position equal that is not, or say something else than what is true; the
// bitmap engine and the exact one have to know.
#include <catch2/catch.hpp>
#include <functional>
#include <utility>

#include "tests/support/sketch.h"
#include "verify/pairs/engines.h"

using namespace pet;
using pet::test::Sketch;

namespace {

// Yields its outputs.
using Program = std::function<std::vector<NodeId>(Sketch&)>;

Program of_one_output(const std::function<NodeId(Sketch&)>& program) {
  return [program](Sketch& s) { return std::vector{program(s)}; };
}

struct Truth {
  Outcome outcome;
  std::vector<Dim> equal;  // by output: how many positions
};
const Truth kEqualNowhere{Outcome::Different, {0}};

Graph graph_of(const Program& program) {
  Sketch sketch;
  const auto outputs = program(sketch);
  return std::move(sketch).finish(outputs);
}

void check_all_engines(const Program& original, const Program& mutant, const Truth& truth) {
  const Graph a = graph_of(original);
  const Graph b = graph_of(mutant);
  for (const auto& engine : engines_called("all")) {
    const Verdict verdict = engine->check(a, b, {});
    INFO(engine->name() << " says " << to_string(verdict.outcome) << ": " << verdict.reason);
    const bool must_know = engine->name() == "bitmap" || engine->name() == "exact";
    if (must_know || verdict.outcome != Outcome::Unknown) CHECK(verdict.outcome == truth.outcome);
    for (std::size_t i = 0; i < verdict.outputs.size(); ++i)
      CHECK(verdict.outputs[i].equal <= truth.equal.at(i));
  }
}

Attrs every(Dim axis, Dim start, Dim end, Dim step) {
  return {
      {"axes", Ints{axis}}, {"starts", Ints{start}}, {"ends", Ints{end}}, {"steps", Ints{step}}};
}

}  // namespace

TEST_CASE("Padding between two pools is not padding in front of both") {
  const auto pooled = [](Dim first, Dim second) {
    return of_one_output([=](Sketch& s) {
      NodeId y = s.input("x", {1, 1, 6});
      for (const Dim pad : {first, second}) {
        y = s.op("AveragePool",
                 Attrs{{"kernel_shape", Ints{3}},
                       {"pads", Ints{pad, pad}},
                       {"count_include_pad", std::int64_t{1}}},
                 {y});
      }
      return y;
    });
  };
  check_all_engines(pooled(1, 1), pooled(2, 0), {Outcome::Partial, {4}});
}

TEST_CASE("Zeros around a tensor are no copies of its elements") {
  const auto padded = [](const std::string& mode) {
    return of_one_output([mode](Sketch& s) {
      return s.op("Pad", Attrs{{"pads", Ints{1, 1}}, {"mode", mode}}, {s.input("x", {4})});
    });
  };
  for (const char* mode : {"edge", "wrap"})
    check_all_engines(padded("constant"), padded(mode), {Outcome::Partial, {4}});
}

TEST_CASE("The sum of two inputs is not one of them twice") {
  const auto sum = [](bool twice) {
    return of_one_output([twice](Sketch& s) {
      const NodeId x = s.input("x", {3});
      const NodeId z = s.input("z", {3});
      return s.op("Add", {x, twice ? x : z});
    });
  };
  check_all_engines(sum(false), sum(true), kEqualNowhere);
}

TEST_CASE("An average is neither the sum nor twice itself") {
  const auto reduced = [](const char* reduction, float factor) {
    return of_one_output([=](Sketch& s) {
      const NodeId y = s.op(reduction, Attrs{{"axes", Ints{1}}}, {s.input("x", {2, 4})});
      return s.op("Mul", {y, s.scalar(factor)});
    });
  };
  check_all_engines(reduced("ReduceMean", 1), reduced("ReduceSum", 1), kEqualNowhere);
  check_all_engines(reduced("ReduceMean", 1), reduced("ReduceMean", 2), kEqualNowhere);
}

TEST_CASE("A normalisation with another epsilon is another one") {
  const auto normalised = [](double epsilon) {
    return of_one_output([epsilon](Sketch& s) {
      std::vector<NodeId> operands = {s.input("x", {1, 2, 2})};
      for (const char* name : {"scale", "bias", "mean", "variance"})
        operands.push_back(s.input(name, {2}));
      return s.op("BatchNormalization", Attrs{{"epsilon", epsilon}}, operands);
    });
  };
  check_all_engines(normalised(0.125), normalised(0.5), kEqualNowhere);
}

TEST_CASE("To exchange the middle quarters is no identity, though the first two places stay") {
  const auto program = [](bool exchanged) {
    return of_one_output([exchanged](Sketch& s) {
      const NodeId x = s.input("x", {8});
      if (!exchanged) return s.op("Identity", {x});
      return s.reshape(s.transpose(s.reshape(x, {2, 2, 2}), {1, 0, 2}), {8});
    });
  };
  check_all_engines(program(false), program(true), {Outcome::Partial, {4}});
}

TEST_CASE("A sum over part of an axis is not the sum over all of it") {
  const auto sum = [](Dim end, Dim step) {
    return of_one_output([=](Sketch& s) {
      const NodeId part = s.op("Slice", every(1, 0, end, step), {s.input("x", {1, 6})});
      return s.op("ReduceSum", Attrs{{"axes", Ints{1}}}, {part});
    });
  };
  check_all_engines(sum(6, 1), sum(6, 2), kEqualNowhere);
  check_all_engines(sum(6, 1), sum(4, 1), kEqualNowhere);
}

TEST_CASE("A transposed convolution is cut where its pads say") {
  const auto cut = [](Dim begin, Dim end) {
    return of_one_output([=](Sketch& s) {
      const NodeId x = s.input("x", {1, 1, 3});
      const NodeId w = s.input("w", {1, 1, 3});
      const Attrs attrs{{"strides", Ints{2}}, {"pads", Ints{begin, end}}};
      return s.op("ConvTranspose", attrs, {x, w});
    });
  };
  check_all_engines(cut(1, 1), cut(0, 2), kEqualNowhere);
}

TEST_CASE("An input times itself is not the input") {
  const auto program = [](bool squared) {
    return of_one_output([squared](Sketch& s) {
      const NodeId x = s.input("x", {3});
      return squared ? s.op("Mul", {x, x}) : s.op("Identity", {x});
    });
  };
  check_all_engines(program(false), program(true), kEqualNowhere);
}

TEST_CASE("Two elements of one input are the same product in either order") {
  const auto product = [](Dim first, Dim second) {
    return of_one_output([=](Sketch& s) {
      const NodeId x = s.input("x", {20});
      const auto four = [&](Dim start, Dim step) {
        return s.op("Slice", every(0, start, start + 3 * step + 1, step), {x});
      };
      return s.op("Mul", {four(first, 1), four(second, 2)});
    });
  };
  // x[v + 2] · x[2v + 5] and x[v + 6] · x[2v + 1] are x[3] · x[7] at v = 1, and equal nowhere else.
  check_all_engines(product(2, 5), product(6, 1), {Outcome::Partial, {1}});
}

TEST_CASE("A factor counts to its last bit") {
  const auto scaled = [](float factor) {
    return of_one_output([factor](Sketch& s) {
      const NodeId x = s.input("x", {4});
      return s.op("Mul", {x, s.scalar(factor)});
    });
  };
  check_all_engines(scaled(1), scaled(0x1p31F), kEqualNowhere);
  check_all_engines(scaled(2.25F), scaled(2.5F), kEqualNowhere);
}

TEST_CASE("A function is not its argument, nor what it is with another parameter") {
  const auto of_x = [](const char* name, const Attrs& attrs) {
    return of_one_output([=](Sketch& s) { return s.op(name, attrs, {s.input("x", {2, 3})}); });
  };
  check_all_engines(of_x("Relu", {}), of_x("Identity", {}), kEqualNowhere);
  check_all_engines(of_x("LeakyRelu", {{"alpha", 0.25}}), of_x("LeakyRelu", {{"alpha", 0.125}}),
                    kEqualNowhere);
}

TEST_CASE("Of two outputs the second one counts, too") {
  const auto sum_and_difference = [](bool swapped) -> Program {
    return [swapped](Sketch& s) {
      NodeId x = s.input("x", {2});
      NodeId z = s.input("z", {2});
      if (swapped) std::swap(x, z);
      const NodeId sum = s.op("Add", {x, z});
      const NodeId difference = s.op("Sub", {x, z});
      return std::vector{sum, difference};
    };
  };
  check_all_engines(sum_and_difference(false), sum_and_difference(true),
                    {Outcome::Partial, {2, 0}});
}

TEST_CASE("An operator with another attribute is another operator") {
  const auto conv = [](Dim begin, Dim end) {
    return of_one_output([=](Sketch& s) {
      const NodeId x = s.input("x", {1, 1, 5});
      const NodeId w = s.input("w", {1, 1, 3});
      return s.op("Conv", Attrs{{"pads", Ints{begin, end}}}, {x, w});
    });
  };
  check_all_engines(conv(1, 1), conv(0, 2), kEqualNowhere);
}
