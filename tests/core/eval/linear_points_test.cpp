// The fast evaluator of single elements against the one that walks meanings by their definition.
#include "core/eval/linear_points.h"

#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/element_types.h"
#include "tests/support/op_instances.h"
#include "tests/support/seeded.h"
#include "tests/support/weights.h"

namespace pet {
namespace {

const Digest kSecret = digest_of("test", "secret");

std::vector<PrimeField> some_primes() {
  KeyStream keys(digest_of("test", "primes"), 0);
  std::vector<PrimeField> fields = draw_primes(keys, 2);
  fields.emplace_back(kSmallestPrime);
  fields.emplace_back(kLargestPrime);
  return fields;
}

// Small integers, many of them zero: products end early, and what they would have read is not
// counted.
NodeId random_constant(GraphBuilder& b, const Shape& shape, Rng& rng) {
  return b.add_constant(test::drawn_constant(shape, [&] { return rng.between(-1, 2); }));
}

// A program that grows at its end: operators that fit are drawn and put behind each other.
class RandomProgram {
 public:
  explicit RandomProgram(Rng& rng) : rng_(rng) {}

  Graph draw() {
    Shape shape = {rng_.between(1, 2), rng_.between(1, 4)};
    const auto spatial = rng_.between(1, 3);
    for (Dim i = 0; i < spatial; ++i) shape.push_back(rng_.between(1, spatial == 1 ? 9 : 5));
    last_ = b_.add_input("x", float_tensor(shape));
    for (auto steps = rng_.between(2, 7); steps > 0; --steps) step();
    b_.add_output(last_);
    return std::move(b_).build();
  }

 private:
  const Shape& shape() const { return *b_.type(last_).shape; }
  std::size_t random_axis() { return static_cast<std::size_t>(rng_.below(shape().size())); }
  void take(const Result<NodeId>& next) {
    REQUIRE(next.ok());
    if (count(*b_.type(*next).shape) <= 4000) last_ = *next;
  }

  void step() {
    switch (rng_.below(9)) {
      case 0:
      case 1:
        return convolve();
      case 2:
        return reshape();
      case 3:
        return transpose();
      case 4:
        return slice();
      case 5:
        return pad();
      case 6:
        return concat();
      case 7:
        return add();
      default:
        return multiply();
    }
  }

  // Weights are constants as they are or computed from some.
  NodeId weight(Shape shape) {
    if (rng_.below(2) == 0) return random_constant(b_, shape, rng_);
    const Dim inner = rng_.between(1, 3);
    const NodeId left = random_constant(b_, {count(shape), inner}, rng_);
    const NodeId right = random_constant(b_, {inner, 1}, rng_);
    const NodeId product = *b_.add(ops::mat_mul(), {}, {left, right});
    return *b_.add(ops::reshape(), {{"shape", shape}}, {product});
  }

  void convolve() {
    if (shape().size() < 3 || shape().size() > 5) return;
    Ints strides;
    Ints dilations;
    Ints before;
    Ints after;
    const Dim channels = shape()[1];
    const Dim groups = channels % 2 == 0 && rng_.below(2) == 0 ? 2 : 1;
    Shape kernel = {groups * rng_.between(1, 2), channels / groups};
    for (std::size_t a = 2; a < shape().size(); ++a) {
      kernel.push_back(rng_.between(1, 3));
      strides.push_back(rng_.between(1, 2));
      dilations.push_back(rng_.between(1, 2));
      const Dim reach = (kernel.back() - 1) * dilations.back() + 1;
      before.push_back(rng_.between(0, reach - 1));
      after.push_back(
          std::max<Dim>(rng_.between(0, reach - 1), reach - shape()[a] - before.back()));
    }
    Ints pads = before;
    pads.insert(pads.end(), after.begin(), after.end());
    std::vector<NodeId> operands = {last_, weight(kernel)};
    if (rng_.below(2) == 0) operands.push_back(random_constant(b_, {kernel[0]}, rng_));
    take(b_.add(ops::conv(),
                {{"group", groups}, {"strides", strides}, {"dilations", dilations}, {"pads", pads}},
                operands));
  }

  void reshape() {
    Dim rest = count(shape());
    Ints to;
    while (to.size() < 5 && rest > 1) {
      Dim factor = rng_.between(1, rest);
      while (rest % factor != 0) --factor;
      to.push_back(factor);
      rest /= factor;
    }
    to.insert(to.begin(), rest);
    take(b_.add(ops::reshape(), {{"shape", to}}, {last_}));
  }

  void transpose() {
    Ints order(shape().size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Dim>(i);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng_.below(i)]);
    take(b_.add(ops::transpose(), {{"perm", order}}, {last_}));
  }

  void slice() {
    const std::size_t axis = random_axis();
    const Dim start = rng_.between(0, shape()[axis] - 1);
    take(b_.add(ops::slice(),
                {{"axes", Ints{static_cast<Dim>(axis)}},
                 {"starts", Ints{start}},
                 {"ends", Ints{rng_.between(start + 1, shape()[axis])}},
                 {"steps", Ints{rng_.between(1, 2)}}},
                {last_}));
  }

  void pad() {
    Ints pads(2 * shape().size());
    for (Dim& x : pads) x = rng_.below(3) == 0 ? rng_.between(1, 2) : 0;
    take(b_.add(ops::pad(), {{"pads", pads}}, {last_}));
  }

  void concat() {
    const auto axis = static_cast<Dim>(random_axis());
    take(b_.add(ops::concat(), {{"axis", axis}},
                {last_, random_constant(b_, shape(), rng_), last_}));
  }

  void add() { take(b_.add(ops::add(), {}, {last_, random_constant(b_, {shape().back()}, rng_)})); }

  void multiply() {
    if (rng_.below(2) == 0) {
      return take(b_.add(ops::mul(), {}, {weight(shape()), last_}));
    }
    if (shape().size() < 2) return;
    take(b_.add(ops::mat_mul(), {}, {last_, weight({shape().back(), rng_.between(1, 3)})}));
  }

  Rng& rng_;
  GraphBuilder b_;
  NodeId last_;
};

// Every element, in an order of no meaning.
void check_all(const Graph& graph, const PrimeField& field, const Leaves& leaves, Rng& rng) {
  auto fast = LinearPoints::of(graph, field, leaves);
  REQUIRE(fast);
  PointEvaluator slow(graph, field, leaves, kSecret, 100'000'000);
  for (const NodeId output : graph.outputs()) {
    std::vector<Dim> order(static_cast<std::size_t>(count(*graph.node(output).type.shape)));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Dim>(i);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
    for (const Dim position : order) {
      const auto wanted = slow.value(output, position);
      REQUIRE(wanted.ok());
      const auto value = fast->value(output, position);
      if (value != *wanted) FAIL("another value at " << position);
    }
  }
}

// The products that the first element of the first output is summed of in all.
std::uint64_t least_limit(const Graph& graph, const Leaves& leaves, std::uint64_t most) {
  const PrimeField field(kLargestPrime);
  std::uint64_t low = 0;
  while (low < most) {
    const std::uint64_t middle = (low + most) / 2;
    auto points = LinearPoints::of(graph, field, leaves);
    REQUIRE(points);
    points->limit(middle);
    if (points->value(graph.outputs()[0], 0)) {
      most = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

Leaves leaves_of_ones() {
  return [](const Node&) -> LeafElements { return [](Dim) { return std::uint32_t{1}; }; };
}

TEST_CASE("Every element of a random program is the one that its definition says") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  const std::vector<PrimeField> fields = some_primes();
  for (int i = 0; i < 300; ++i) {
    const Graph graph = RandomProgram(rng).draw();
    INFO(to_string(graph));
    const PrimeField& field = fields[rng.below(fields.size())];
    // As the original its constants are symbols, as another program's mutant their exact values.
    const Graph none = GraphBuilder().build();
    check_all(graph, field, random_leaves(field, kSecret, rng.below(2) == 0 ? graph : none), rng);
  }
}

TEST_CASE("Every linear operator has the elements that its definition says") {
  const PrimeField field(kLargestPrime);
  std::size_t linear = 0;
  for (const OpDef* def : ops::all()) {
    Rng rng(digest_of("instances", def->name).bytes[0]);
    for (int i = 0; i < 20; ++i) {
      const auto instance = test::sample_instance(*def, rng);
      REQUIRE(instance);
      GraphBuilder b;
      std::vector<NodeId> operands;
      for (const TensorType& type : test::operand_types(instance->operands, instance->elements))
        operands.push_back(b.add_input(std::to_string(operands.size()), type));
      const auto result = b.add(instance->op, operands);
      REQUIRE(result.ok());
      b.add_output(*result);
      const Graph graph = std::move(b).build();
      if (!is_linear(graph.meaning(*result))) continue;
      INFO(to_string(graph));
      check_all(graph, field, random_leaves(field, kSecret, graph), rng);
      ++linear;
    }
  }
  CHECK(linear > 200);
}

TEST_CASE("Sums longer than a block are whole, and so are more of them than fit into one") {
  const PrimeField field(kSmallestPrime);
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({3, 70000}));
  const NodeId y = b.add_input("y", float_tensor({70000, 2}));
  const NodeId z = b.add_input("z", float_tensor({2, 40000}));
  const NodeId product = *b.add(ops::mat_mul(), {}, {x, y});
  const NodeId wide = *b.add(ops::mat_mul(), {}, {product, z});
  b.add_output(product);
  b.add_output(
      *b.add(ops::reduce_sum(), {{"axes", Ints{1}}, {"keepdims", std::int64_t{0}}}, {wide}));
  const Graph graph = std::move(b).build();
  Rng rng(1);
  check_all(graph, field, random_leaves(field, kSecret, graph), rng);
}

TEST_CASE("A sum of what is the same everywhere counts it so many times as it is read") {
  const PrimeField field(kLargestPrime);
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({2, 1, 1}));
  const NodeId wide = *b.add(ops::expand(), {{"shape", Ints{2, 5, 3}}}, {x});
  const NodeId padded = *b.add(ops::pad(), {{"pads", Ints{0, 1, 0, 0, 2, 0}}}, {wide});
  const NodeId sum = *b.add(ops::reduce_sum(), {{"axes", Ints{1, 2}}}, {wide});
  b.add_output(sum);
  b.add_output(*b.add(ops::reduce_sum(), {{"axes", Ints{0, 1}}}, {padded}));
  const Graph graph = std::move(b).build();
  const Leaves leaves = random_leaves(field, kSecret, graph);
  Rng rng(3);
  check_all(graph, field, leaves, rng);
  auto points = LinearPoints::of(graph, field, leaves);
  CHECK(points->value(sum, 1) == field.mul(15, *points->value(x, 1)));
}

TEST_CASE("A sum over nothing is zero, and so is what is read beyond a border") {
  const PrimeField field(kLargestPrime);
  GraphBuilder b;
  const NodeId a = b.add_input("a", float_tensor({2, 0}));
  const NodeId nothing = *b.add(ops::reduce_sum(), {{"axes", Ints{1}}}, {a});
  const NodeId padded = *b.add(ops::pad(), {{"pads", Ints{0, 1, 0, 1}}}, {a});
  b.add_output(nothing);
  b.add_output(padded);
  const Graph graph = std::move(b).build();
  const Leaves leaves = random_leaves(field, kSecret, graph);
  Rng rng(2);
  check_all(graph, field, leaves, rng);
  auto points = LinearPoints::of(graph, field, leaves);
  points->limit(0);
  CHECK(points->value(nothing, 1) == 0);
  CHECK(points->value(padded, 1) == 0);
}

TEST_CASE("The limit counts every product of every sum once") {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({1, 100}));
  const NodeId y = b.add_input("y", float_tensor({100, 10}));
  const NodeId z = b.add_input("z", float_tensor({10, 1}));
  const NodeId first = *b.add(ops::mat_mul(), {}, {x, y});
  const NodeId twice = *b.add(ops::concat(), {{"axis", std::int64_t{0}}}, {first, first});
  const NodeId second = *b.add(ops::mat_mul(), {}, {twice, z});
  b.add_output(*b.add(ops::reduce_sum(), {{"axes", Ints{0, 1}}}, {second}));
  const Graph graph = std::move(b).build();
  CHECK(least_limit(graph, leaves_of_ones(), 10000) == 10 * 100 + 2 * 10 + 2);

  auto points = LinearPoints::of(graph, PrimeField(kLargestPrime), leaves_of_ones());
  points->limit(10 * 100 + 10);
  CHECK(points->value(second, 0) == 1000);
  CHECK(points->value(second, 0) == 1000);
  CHECK_FALSE(points->value(second, 1));
  CHECK_FALSE(points->value(second, 0));
}

TEST_CASE("What a zero is multiplied with does not count") {
  const auto build = [](bool zero_first) {
    GraphBuilder b;
    const NodeId x = b.add_input("x", float_tensor({1, 100}));
    const NodeId y = b.add_input("y", float_tensor({100, 4}));
    const NodeId sums = *b.add(ops::mat_mul(), {}, {x, y});
    const NodeId zeros = b.add_input("zeros", float_tensor({1, 4}));
    const NodeId product =
        zero_first ? *b.add(ops::mul(), {}, {zeros, sums}) : *b.add(ops::mul(), {}, {sums, zeros});
    b.add_output(*b.add(ops::reduce_sum(), {{"axes", Ints{1}}}, {product}));
    return std::move(b).build();
  };
  const Leaves leaves = [](const Node& leaf) -> LeafElements {
    const bool zeros = leaf.input()->name == "zeros";
    return [zeros](Dim flat) { return zeros && flat != 2 ? std::uint32_t{0} : std::uint32_t{1}; };
  };
  CHECK(least_limit(build(true), leaves, 10000) == 4 + 100);
  CHECK(least_limit(build(false), leaves, 10000) == 4 + 4 * 100);
}

TEST_CASE("A program with an element function or an opaque operator has no linear points") {
  const PrimeField field(kLargestPrime);
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({4}));
  b.add_output(*b.add(ops::relu(), {}, {x}));
  const Graph relu = std::move(b).build();
  CHECK_FALSE(LinearPoints::of(relu, field, random_leaves(field, kSecret, relu)));
  GraphBuilder c;
  const NodeId y = c.add_input("y", float_tensor({4}));
  c.add_output(c.add_opaque("some::Op", kSecret, {y}, float_tensor({4})));
  const Graph opaque = std::move(c).build();
  CHECK_FALSE(LinearPoints::of(opaque, field, random_leaves(field, kSecret, opaque)));
}

TEST_CASE("Weights computed by element functions are read from elsewhere, data is not") {
  const PrimeField field(kLargestPrime);
  GraphBuilder b;
  const auto weight =
      std::make_shared<const Tensor>(Tensor::of_floats({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}));
  const NodeId w = *b.add(ops::relu(), {}, {b.add_constant(weight)});
  const NodeId x = b.add_input("x", float_tensor({2, 3}));
  b.add_output(*b.add(ops::mat_mul(), {}, {x, w}));
  const Graph program = std::move(b).build();
  const Leaves leaves = random_leaves(field, kSecret, program);
  PointEvaluator slow(program, field, leaves, kSecret, 10000);
  const auto elsewhere = [&](NodeId id) {
    CHECK(id == w);
    return LeafElements([&slow, id](Dim flat) { return *slow.value(id, flat); });
  };
  CHECK_FALSE(LinearPoints::of(program, field, leaves));
  auto fast = LinearPoints::of(program, field, leaves, elsewhere);
  REQUIRE(fast.has_value());
  const NodeId out = program.outputs()[0];
  for (Dim flat = 0; flat < 6; ++flat) CHECK(fast->value(out, flat) == *slow.value(out, flat));
  GraphBuilder c;
  c.add_output(*c.add(ops::relu(), {}, {c.add_input("x", float_tensor({4}))}));
  const Graph relu = std::move(c).build();
  CHECK_FALSE(LinearPoints::of(relu, field, random_leaves(field, kSecret, relu), elsewhere));
}

}  // namespace
}  // namespace pet
