#include "verify/theorem/theorem_engine.h"

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>

#include "core/onnx/text.h"
#include "tests/support/sketch.h"
#include "verify/exact/exact_engine.h"
#include "verify/pairs/consensus.h"
#include "verify/pairs/engines.h"
#include "verify/region/region_engine.h"
#include "verify/theorem/published.h"

using namespace pet;
using pet::test::Sketch;

namespace {

namespace fs = std::filesystem;

using Build = std::function<NodeId(Sketch&)>;

Graph graph_of(const Build& build) {
  Sketch sketch;
  const NodeId output = build(sketch);
  return std::move(sketch).finish({output});
}

struct Answers {
  Verdict checked, published;
};

Answers answers(const Graph& original, const Graph& mutant) {
  return {TheoremEngine().check(original, mutant, {}),
          TheoremEngine(TheoremForm::AsPublished).check(original, mutant, {})};
}

Answers answers(const Build& original, const Build& mutant) {
  return answers(graph_of(original), graph_of(mutant));
}

CaseFile read(const std::string& name) {
  auto file = read_case(fs::path(PET_CASES) / name);
  REQUIRE(file.ok());
  return *std::move(file);
}

Answers answers_of_case(const std::string& name) {
  const CaseFile file = read(name);
  return answers(file.original.graph, file.mutant.graph);
}

NodeId conv(Sketch& s, NodeId x, NodeId w) {
  return s.op("Conv", Attrs{{"pads", Ints{1, 1, 1, 1}}}, {x, w});
}

Build plain(Dim images, Dim size) {
  return [=](Sketch& s) {
    return conv(s, s.input("x", {images, 3, size, size}), s.input("w", {2, 3, 3, 3}));
  };
}

// Two images one below the other (PET, Figure 1).
Build joined(Dim images, Dim size) {
  return [=](Sketch& s) {
    NodeId x = s.input("x", {images, 3, size, size});
    const NodeId w = s.input("w", {2, 3, 3, 3});
    x = s.transpose(s.reshape(x, {images / 2, 2, 3, size, size}), {0, 2, 1, 3, 4});
    const NodeId y = conv(s, s.reshape(x, {images / 2, 3, 2 * size, size}), w);
    const NodeId apart = s.transpose(s.reshape(y, {images / 2, 2, 2, size, size}), {0, 2, 1, 3, 4});
    return s.reshape(apart, {images, 2, size, size});
  };
}

// A pair as the theorem's engine reads it.
struct Read {
  Graph original, mutant;
  ValueTable values;
  theorem::LeafTable leaves;
  theorem::Program first, second;

  Read(const Build& a, const Build& b)
      : original(graph_of(a)),
        mutant(graph_of(b)),
        values(original, mutant, ValueTable::Weights::Symbols) {
    while (values.next_of_mutant()) continue;
    const auto both = theorem::computed_by_both(original, mutant, values);
    first =
        *theorem::Program::read(original, theorem::Program::Side::Original, values, both, leaves);
    second = *theorem::Program::read(mutant, theorem::Program::Side::Mutant, values, both, leaves);
  }
};

}  // namespace

TEST_CASE("Two images joined: 18 boxes in digits, and wrong where PET says") {
  const Read pair(plain(8, 6), joined(8, 6));
  theorem::Steps steps(1 << 20, {});
  const auto boxes = theorem::checked_boxes(pair.first, pair.original.outputs()[0], pair.second,
                                            pair.mutant.outputs()[0], steps);
  REQUIRE(boxes);
  CHECK(boxes->basis.digits[0] == Shape{4, 2});
  CHECK(boxes->boxes.size() == 18);
  const Verdict verdict = answers(pair.original, pair.mutant).checked;
  CHECK(verdict.outcome == Outcome::Partial);
  CHECK(verdict.outputs[0].different == 8 * 2 * 6);  // a row of each image
  CHECK(verdict.outputs[0].undecided == 0);
  CHECK(verdict.log2_error <= -64);
}

TEST_CASE("A convolution has the nine boxes of the paper's Figure 4") {
  const Read pair(plain(2, 6), plain(2, 6));
  const auto boxes = theorem::published_boxes(pair.first, pair.original.outputs()[0], pair.second,
                                              pair.mutant.outputs()[0]);
  REQUIRE(boxes);
  CHECK(boxes->boxes.size() == 9);
}

TEST_CASE("m + 1 positions of a box: a corner, and a step along each axis that has one") {
  using theorem::Range;
  const DigitBasis basis{{{4, 2}, {5}, {7}}};
  const std::vector<Range> box{{1, 3}, {0, 2}, {2, 3}, {3, 7}};
  CHECK(theorem::tested_positions(box, basis) ==
        std::vector<Shape>{{2, 2, 3}, {4, 2, 3}, {3, 2, 3}, {2, 2, 4}});
}

TEST_CASE("What differs in the last tested position alone is not equal") {
  // x[a, b] · u[b] against x[a, 0] · u[b]: no border lies between b = 0 and b = 1.
  const auto row = [](bool first) -> Build {
    return [first](Sketch& s) {
      const NodeId x = s.input("x", {3, 4});
      return s.op("Mul", {first ? s.slice(x, 1, 0, 1) : x, s.input("u", {1, 4})});
    };
  };
  CHECK(answers(row(false), row(true)).checked.outputs[0].equal == 0);
  // A diagonal, which one position lies on.
  const auto square = [](bool turned) -> Build {
    return [turned](Sketch& s) {
      const NodeId x = s.input("x", {4, 4});
      return turned ? s.transpose(x, {1, 0}) : s.op("Identity", {x});
    };
  };
  CHECK(answers(square(false), square(true)).checked.outputs[0].equal == 0);
}

TEST_CASE("Equal programs written in other ways are equal up to the error that is asked for") {
  const auto folded = [](bool first) -> Build {
    return [first](Sketch& s) {
      const NodeId x = s.input("x", {2, 3, 5});
      const NodeId w = s.input("w", {5, 4});
      return first ? s.op("MatMul", {x, w})
                   : s.reshape(s.op("MatMul", {s.reshape(x, {6, 5}), w}), {2, 3, 4});
    };
  };
  ProofOptions strict;
  strict.log2_error = -100;
  const Verdict verdict =
      TheoremEngine().check(graph_of(folded(true)), graph_of(folded(false)), strict);
  CHECK(verdict.outcome == Outcome::Equivalent);
  CHECK(verdict.log2_error <= -100);
  CHECK(verdict.primes >= 4);
  // Repeated factors, in either order.
  const auto product = [](bool swapped) -> Build {
    return [swapped](Sketch& s) {
      const NodeId x = s.input("x", {4});
      const NodeId a = s.slice(x, 0, 0, 2);
      const NodeId b = s.slice(x, 0, 2, 4);
      return s.op("Mul", swapped ? std::vector{b, a} : std::vector{a, b});
    };
  };
  CHECK(answers(product(false), product(true)).checked.outcome == Outcome::Equivalent);
}

TEST_CASE("A normalisation's function of its variance is one number a channel") {
  const auto normalised = [](double epsilon, bool reshaped) -> Build {
    return [=](Sketch& s) {
      NodeId x = s.input("x", {4, 3, 2});
      std::vector<NodeId> operands = {reshaped ? s.reshape(x, {4, 3, 1, 2}) : x};
      for (const char* name : {"scale", "bias", "mean", "variance"})
        operands.push_back(s.input(name, {3}));
      const NodeId y = s.op("BatchNormalization", Attrs{{"epsilon", epsilon}}, operands);
      return reshaped ? s.reshape(y, {4, 3, 2}) : y;
    };
  };
  CHECK(answers(normalised(0.125, false), normalised(0.125, true)).checked.outcome ==
        Outcome::Equivalent);
  CHECK(answers(normalised(0.125, false), normalised(0.5, true)).checked.outcome !=
        Outcome::Equivalent);
}

TEST_CASE("What both compute alike may be anything, what only one computes has to be linear") {
  const auto behind = [](bool reshaped, bool twice) -> Build {
    return [=](Sketch& s) {
      NodeId x = s.op("Relu", {s.input("x", {4, 3})});
      if (twice) x = s.op("Sigmoid", {x});
      return reshaped ? s.reshape(s.reshape(x, {2, 6}), {4, 3}) : x;
    };
  };
  CHECK(answers(behind(false, false), behind(true, false)).checked.outcome == Outcome::Equivalent);
  const Answers unlike = answers(behind(false, false), behind(false, true));
  for (const Verdict* verdict : {&unlike.checked, &unlike.published}) {
    CHECK(verdict->outcome == Outcome::Unknown);
    CHECK(verdict->reason.starts_with("not multi-linear: "));
  }
}

TEST_CASE("A partial function is applied to nothing that the original does not apply it to") {
  const auto divided = [](Dim end) -> Build {
    return [end](Sketch& s) {
      const NodeId x = s.input("x", {4});
      const NodeId y = s.op("Reciprocal", {x});
      return s.op("Add", {s.slice(s.input("z", {4}), 0, 0, 1), s.slice(y, 0, end, end + 1)});
    };
  };
  const auto nothing = [](Sketch& s) {
    s.input("x", {4});
    return s.slice(s.input("z", {4}), 0, 0, 1);
  };
  const auto cancelled = [](Sketch& s) {
    const NodeId y = s.slice(s.op("Reciprocal", {s.input("x", {4})}), 0, 0, 1);
    return s.op("Add", {s.slice(s.input("z", {4}), 0, 0, 1), s.op("Sub", {y, y})});
  };
  const Answers both = answers(nothing, cancelled);
  CHECK(both.checked.outcome == Outcome::Unknown);
  CHECK(both.checked.reason.starts_with("domain"));
  CHECK(both.published.outcome == Outcome::Equivalent);
  CHECK(answers(divided(0), divided(1)).checked.outputs[0].equal == 0);
  const auto idle = [](Sketch& s) {
    s.op("Reciprocal", {s.input("x", {4})});
    return s.slice(s.input("z", {4}), 0, 0, 1);
  };
  CHECK(answers(nothing, idle).checked.reason.starts_with("domain"));
  CHECK(answers(idle, nothing).checked.outcome == Outcome::Equivalent);
  // What the original applies for nothing excuses nothing.
  CHECK(answers_of_case("adversarial/division_by_zero_that_nothing_needs.txt").checked.outcome ==
        Outcome::Unknown);
  CHECK(answers_of_case("adversarial/root_of_another_output.txt")
            .checked.reason.starts_with("domain"));
}

TEST_CASE("Published, the test is fooled; checked, it calls nothing equal that is not") {
  struct Fooled {
    const char* name;
    Dim equal;           // to the checked form; whole boxes alone are
    const char* reason;  // begins so
  };
  const auto [name, equal, reason] = GENERATE(values<Fooled>({
      {"swapped_quarters", 0, ""},
      {"images_in_another_order", 0, ""},
      {"mask_of_numbers", 4, ""},
      {"times_2_31", 0, ""},
      {"doublings_31", 0, ""},
      {"square_against_shifted_product", 0, "in a box the indices of X·X move in 3 ways"},
      {"sums_at_several_speeds", 0, "in a box the indices of X move in 3 ways"},
  }));
  INFO(name);
  const Answers both = answers_of_case(std::string("adversarial/") + name + ".txt");
  CHECK(both.published.outcome == Outcome::Equivalent);
  REQUIRE(both.checked.outputs.size() == 1);
  CHECK(both.checked.outputs[0].equal == equal);
  CHECK(both.checked.outputs[0].different > 0);
  CHECK(both.checked.reason.starts_with(reason));
}

TEST_CASE("Where a hypothesis fails it does not know, though the programs may be equal") {
  // x[2v] + x[v] + x[0], in two orders.
  const auto sum = [](bool first) -> Build {
    return [first](Sketch& s) {
      const NodeId x = s.input("x", {7});
      const auto every = [&](Dim step) {
        return s.op("Slice",
                    {{"axes", Ints{0}},
                     {"starts", Ints{0}},
                     {"ends", Ints{3 * step + 1}},
                     {"steps", Ints{step}}},
                    {x});
      };
      const NodeId doubled = every(2);
      const NodeId single = every(1);
      const NodeId still = s.slice(x, 0, 0, 1);
      return first ? s.op("Add", {s.op("Add", {doubled, single}), still})
                   : s.op("Add", {doubled, s.op("Add", {single, still})});
    };
  };
  const Answers both = answers(sum(true), sum(false));
  CHECK(both.checked.outcome == Outcome::Unknown);
  CHECK(both.checked.reason.find(" move in 3 ways") != std::string::npos);
  CHECK(both.published.outcome == Outcome::Equivalent);
}

TEST_CASE("An average is told from a sum in either form") {
  const Answers both = answers_of_case("adversarial/average_times_4.txt");
  CHECK(both.published.outputs[0].equal == 0);
  CHECK(both.checked.outcome == Outcome::Different);
  const Answers divisors = answers_of_case("adversarial/average_divisor_of_padding.txt");
  CHECK(divisors.checked.outcome == Outcome::Partial);
  CHECK(divisors.checked.outputs[0].undecided == 0);
}

TEST_CASE("An error that would take too many tests is not promised") {
  ProofOptions options;
  options.log2_error = -2000;
  const Verdict verdict =
      TheoremEngine().check(graph_of(plain(2, 5)), graph_of(joined(2, 5)), options);
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason.starts_with("an error of 2^-2000 needs more than"));
}

TEST_CASE("After its steps it does not know, and stopped it says nothing") {
  const Graph original = graph_of(plain(2, 5));
  const Graph mutant = graph_of(joined(2, 5));
  const Verdict short_of = TheoremEngine(TheoremForm::Checked, 100).check(original, mutant, {});
  CHECK(short_of.outcome == Outcome::Unknown);
  CHECK(short_of.reason == "more than 100 steps");
  std::stop_source stop;
  stop.request_stop();
  ProofOptions options;
  options.stop = stop.get_token();
  const Verdict stopped =
      TheoremEngine().check(graph_of(plain(8, 20)), graph_of(joined(8, 20)), options);
  CHECK(stopped.outcome == Outcome::Unknown);
  CHECK(stopped.outputs.empty());
}

TEST_CASE("It is asked by its name alone, and followed by the engine that has to be among them") {
  for (const auto& engine : engines_called("all")) CHECK(engine->name() != "theorem");
  const Engines asked = engines_called("theorem");
  REQUIRE(asked.size() == 2);
  CHECK(asked[0]->name() == "theorem");
  CHECK(asked[1]->name() == "bitmap");
  const Engines published = theorem_as_published();
  REQUIRE(published.size() == 1);
  CHECK(published[0]->name() == "theorem-as-published");
}

// What one calls equal the others may not call different, nor the other way round.
TEST_CASE("On no case does the theorem contradict the region engine or the exact one") {
  TheoremEngine theorem;
  RegionEngine region;
  ExactEngine exact;
  const std::array<Engine*, 3> all = {&theorem, &region, &exact};
  std::size_t decided = 0;
  std::size_t mutants = 0;
  for (const char* folder : {"mutants", "ops", "adversarial"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(PET_CASES) / folder)) {
      const auto file = read_case(entry.path());
      if (!file.ok()) continue;
      INFO(entry.path().string());
      const Verdict verdict =
          consensus(file->original.graph, file->mutant.graph, all, ProofOptions{}).verdict;
      CHECK(!verdict.engines_disagree);
      if (verdict.engines.empty() || verdict.engines[0].outcome == Outcome::Unknown) continue;
      ++decided;
      if (std::string_view(folder) == "mutants") ++mutants;
    }
  }
  CHECK(mutants >= 20);
  CHECK(decided >= 80);
}
