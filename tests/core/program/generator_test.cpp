#include "core/program/mutate/generator.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/core/program/mutants.h"
#include "tests/support/seeded.h"
#include "tests/support/sketch.h"

using namespace pet;
using namespace pet::test;

TEST_CASE("Features become groups that read the same data, groups become blocks on a diagonal") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim size = rng.between(3, 7);
  const Attrs attrs{{"pads", Ints{1, 1, 1, 1}}};
  const Found split =
      find(convs({{1, 2, size, size}}, {{4, 2, 3, 3}}, attrs), "features in 2 groups");
  CHECK(right(split));
  CHECK(split.node("Conv").op()->integer("group") == 2);
  Attrs grouped = attrs;
  grouped.set("group", std::int64_t{4});
  const Graph four = convs({{1, 8, size, size}}, {{12, 2, 3, 3}}, grouped);
  const Found two = find(four, "2 groups as one");
  CHECK(right(two));
  CHECK(two.node("Conv").op()->integer("group") == 2);
  const Found one = find(four, "4 groups as one");
  CHECK(right(one));
  CHECK(one.node("Conv").op()->integer("group") == 1);
}

TEST_CASE("A bias that is spread over the features is none of a layer") {
  for (const Shape& bias : {Shape{}, Shape{1}, Shape{1, 1}, Shape{2}, Shape{1, 2}, Shape{3, 1}}) {
    Sketch s;
    const NodeId y = s.op("Gemm", {s.input("x", {3, 4}), s.input("w", {4, 2}), s.input("b", bias)});
    const Graph program = std::move(s).finish({y});
    MutantGenerator generator(program);
    while (generator.next()) continue;
  }
}

TEST_CASE("Two convolutions of different data become one in groups, by divisor and by padding") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim unit = rng.between(1, 3);
  const Dim size = rng.between(3, 6);
  const Graph program =
      convs({{1, 2, size, size}, {1, 2, size, size}}, {{2 * unit, 2, 3, 3}, {3 * unit, 2, 3, 3}},
            {{"pads", Ints{1, 1, 1, 1}}});
  const Found divided = find(program, "groups of a common size");
  CHECK(right(divided));
  CHECK(divided.node("Conv").op()->integer("group") == 5);
  const Found padded = find(program, "a group each");
  CHECK(right(padded));
  CHECK(padded.node("Conv").op()->integer("group") == 2);
  CHECK(padded.data_shape("Conv") == Shape{1, 4, size, size});
}

TEST_CASE("Matrix products of the same data become one, with weights side by side or in a batch") {
  Seeded rng;
  CAPTURE(rng.drawn);
  GraphBuilder b;
  const Dim k = rng.between(2, 7);
  const Dim n = rng.between(2, 7);
  const NodeId x = b.add_input("x", float_tensor({2, rng.between(2, 6), k}));
  for (const char* name : {"q", "k", "v"}) {
    const NodeId w = b.add_input(name, float_tensor({k, n}));
    b.add_output(*b.add(ops::mat_mul(), {}, {x, w}));
  }
  const Graph program = std::move(b).build();
  const Found merged = find(program, "weights one after another, as data times weight");
  CHECK(right(merged));
  CHECK(merged.count("MatMul") == 1);
  const Found batch = find(program, "a group each, as data times weight");
  CHECK(right(batch));
  CHECK(batch.count("MatMul") == 1);
}

TEST_CASE("Parallel convolutions of the same data become one of all their features") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim f = rng.between(1, 5);
  const Graph program =
      convs({{2, 4, 5, 5}}, {{f + 1, 4, 1, 1}, {2 * f, 4, 1, 1}, {3, 4, 1, 1}}, {});
  const Found merged = find(program, "weights one after another");
  CHECK(right(merged));
  CHECK(merged.count("Conv") == 1);
  CHECK(merged.verdict.outputs.size() == 3);
}

TEST_CASE("A sum of convolutions becomes one over the channels of all of them") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim size = rng.between(3, 6);
  const Dim filters = rng.between(1, 5);
  const Dim channels = rng.between(1, 3);
  GraphBuilder b;
  std::optional<NodeId> sum;
  for (const char* name : {"x", "y", "z"}) {
    const std::string of = name;
    const NodeId x = b.add_input(of, float_tensor({2, channels, size, size}));
    const NodeId w = b.add_input("w" + of, float_tensor({filters, channels, 3, 3}));
    const NodeId bias = b.add_input("b" + of, float_tensor({filters}));
    const NodeId product = *b.add(ops::conv(), {{"pads", Ints{1, 1, 1, 1}}}, {x, w, bias});
    sum = sum ? *b.add(ops::add(), {}, {*sum, product}) : product;
  }
  b.add_output(*sum);
  const Graph program = std::move(b).build();
  const Found merged = find(program, "channels one after another");
  CHECK(right(merged));
  CHECK(merged.count("Conv") == 1);
  CHECK(merged.data_shape("Conv") == Shape{2, 3 * channels, size, size});
  // What can be done to one product can be done to this one.
  const Found joined = find(program, "channels one after another, join 2 of axis 0 along axis 2");
  CHECK(joined.verdict.outcome == Outcome::Partial);
}

TEST_CASE("A sum of matrix products is one, and of the same data one by the sum of the weights") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim k = rng.between(2, 7);
  const Dim n = rng.between(2, 7);
  for (const bool same : {true, false}) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({3, k}));
    const NodeId y = same ? x : b.add_input("y", float_tensor({3, k}));
    const NodeId v = b.add_input("v", float_tensor({k, n}));
    const NodeId w = b.add_input("w", float_tensor({k, n}));
    b.add_output(*b.add(ops::add(), {},
                        {*b.add(ops::mat_mul(), {}, {x, v}), *b.add(ops::mat_mul(), {}, {y, w})}));
    const Graph program = std::move(b).build();
    const Found merged = find(program, "channels one after another, as data times weight");
    CHECK(right(merged));
    CHECK(merged.count("MatMul") == 1);
    if (!same) continue;
    const Found added = find(program, "weights added up, as data times weight");
    CHECK(right(added));
    CHECK(added.count("MatMul") == 1);
    CHECK(added.data_shape("MatMul") == Shape{3, k});
  }
}

TEST_CASE("Two products in a row become one by the product of their weights") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const auto dim = [&] { return rng.between(2, 6); };
  GraphBuilder b;
  const Dim k = dim();
  const Dim m = dim();
  const NodeId x = b.add_input("x", float_tensor({dim(), k}));
  const NodeId one = b.add_input("a", float_tensor({k, m}));
  const NodeId other = b.add_input("b", float_tensor({m, dim()}));
  b.add_output(*b.add(ops::mat_mul(), {}, {*b.add(ops::mat_mul(), {}, {x, one}), other}));
  CHECK(right(find(std::move(b).build(), "compose both weights, as data times weight")));

  for (const bool pointwise_first : {true, false}) {
    GraphBuilder c;
    const NodeId y = c.add_input("x", float_tensor({2, 3, 6, 5}));
    const Shape small = {4, 3, 1, 1};
    const Shape large = {4, 3, 3, 3};
    const NodeId v = c.add_input("v", float_tensor(pointwise_first ? small : large));
    const NodeId w =
        c.add_input("w", float_tensor(pointwise_first ? Shape{5, 4, 3, 3} : Shape{5, 4, 1, 1}));
    const Attrs pads{{"pads", Ints{1, 1, 1, 1}}};
    const NodeId inner = *c.add(ops::conv(), pointwise_first ? Attrs{} : pads, {y, v});
    c.add_output(*c.add(ops::conv(), pointwise_first ? pads : Attrs{}, {inner, w}));
    const Found composed = find(std::move(c).build(), "compose both weights");
    CHECK(right(composed));
    CHECK(composed.count("Conv") == 1);
  }
}

TEST_CASE("Products of activations are taken in the other order") {
  GraphBuilder b;
  const NodeId q = b.add_input("q", float_tensor({3, 5, 4}));
  const NodeId k = b.add_input("k", float_tensor({3, 4, 5}));
  const NodeId v = b.add_input("v", float_tensor({3, 5, 2}));
  b.add_output(*b.add(ops::mat_mul(), {}, {*b.add(ops::mat_mul(), {}, {q, k}), v}));
  CHECK(right(find(std::move(b).build(), "compose both weights, as data times weight")));
}

TEST_CASE("A bias follows its features through every move") {
  Seeded rng;
  CAPTURE(rng.drawn);
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({2, 4, 6, 6}));
  const NodeId w = b.add_input("w", float_tensor({8, 2, 3, 3}));
  const NodeId bias = b.add_input("b", float_tensor({8}));
  b.add_output(
      *b.add(ops::conv(),
             {{"pads", Ints{2, 2, 2, 2}}, {"dilations", Ints{2, 2}}, {"group", std::int64_t{2}}},
             {x, w, bias}));
  const Graph program = std::move(b).build();
  for (const char* how :
       {"2 groups as one", "features in 2 groups", "phases of axis 2 by 2 as images",
        "taps of axis 2 as products, summed", "taps of axis 2 to channels",
        "join 2 of axis 0 along axis 2 with a halo", "cut axis 3 in 2 with a halo"}) {
    INFO(how);
    CHECK(right(find(program, how)));
  }
}

TEST_CASE("An operator without a weight is joined as it is") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Dim size = 2 * rng.between(2, 6);
  const auto pool = [&](Dim kernel, Dim stride, Dim pad) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({2, 3, size, 6}));
    b.add_output(*b.add(ops::average_pool(),
                        {{"kernel_shape", Ints{kernel, kernel}},
                         {"strides", Ints{stride, stride}},
                         {"pads", Ints{pad, pad, pad, pad}},
                         {"count_include_pad", std::int64_t{1}}},
                        {x}));
    return std::move(b).build();
  };
  CHECK(right(find(pool(2, 2, 0), "join 2 of axis 0 along axis 2")));
  CHECK(find(pool(3, 1, 1), "join 2 of axis 0 along axis 2").wrong_share(1, size));
  CHECK(right(find(pool(3, 1, 1), "join 2 of axis 0 along axis 2 with a halo")));
}

TEST_CASE("Depth bounds the operators of a mutant, moves what was done") {
  const Graph program = convs({{2, 2, 6, 6}}, {{2, 2, 3, 3}}, {{"pads", Ints{1, 1, 1, 1}}});
  const auto deepest = [&](GeneratorConfig config) {
    std::size_t moves = 0;
    MutantGenerator generator(program, config);
    while (auto mutant = generator.next()) moves = std::max(moves, mutant->moves.size());
    return std::pair(moves, generator.counters());
  };
  const auto [at_one, one] = deepest({.depth = 1});
  CHECK(at_one == 1);  // other forms of the operator itself
  CHECK(one.pruned[static_cast<std::size_t>(Pruned::Depth)] > 0);
  const auto [at_three, three] = deepest({.depth = 3});
  CHECK(at_three >= 2);
  CHECK(three.mutants > one.mutants);
  CHECK(three.pruned[static_cast<std::size_t>(Pruned::SeenNode)] > 0);
  const auto [few, limited] = deepest({.max_steps = 1});
  CHECK(limited.nodes == 1);
  CHECK(few == 1);
}

TEST_CASE("What is proposed depends on the subprogram and the config alone, and is traced") {
  const Graph program = convs({{2, 4, 6, 6}}, {{4, 4, 3, 3}}, {{"pads", Ints{1, 1, 1, 1}}});
  const auto run = [&](std::uint64_t seed, std::vector<std::string>* trace) {
    MutantGenerator generator(program, {.seed = seed}, [&](const TraceNode& node) {
      trace->push_back(in_words(node.moves) +
                       (node.pruned ? std::string(to_string(*node.pruned)) : ""));
    });
    std::vector<Digest> mutants;
    while (auto mutant = generator.next()) mutants.push_back(mutant->program.digest());
    CHECK(generator.counters().mutants == mutants.size());
    return mutants;
  };
  std::vector<std::string> first;
  std::vector<std::string> second;
  CHECK(run(1, &first) == run(1, &second));
  CHECK(first == second);
  CHECK(first.size() > 100);
}

TEST_CASE("No program is proposed twice, none is the original, and each has its types") {
  Seeded rng;
  CAPTURE(rng.drawn);
  const Graph program = convs({{2, 2, 4, 6}}, {{2, 2, 3, 3}}, {{"pads", Ints{1, 1, 1, 1}}});
  std::set<Digest> seen = {program.digest()};
  MutantGenerator generator(program, {.depth = 3, .moves = 2, .seed = rng.next()});
  while (auto mutant = generator.next()) {
    CHECK(seen.insert(mutant->program.digest()).second);
    CHECK(mutant->program.inputs().size() == program.inputs().size());
    CHECK(mutant->program.node(mutant->program.outputs()[0]).type ==
          program.node(program.outputs()[0]).type);
  }
  CHECK(seen.size() > 50);
}
