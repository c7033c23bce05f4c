#include "core/program/subprogram.h"

#include <catch2/catch.hpp>

#include "core/program/substitute.h"
#include "tests/core/program/programs.h"
#include "verify/pairs/bitmap_checker.h"

using namespace pet;
using pet::test::Programs;

namespace {

Outcome compared(const Graph& a, const Graph& b) {
  const Verdict verdict = BitmapChecker().check(a, b, {});
  INFO(verdict.reason);
  return verdict.outcome;
}

// x·W + 3 as (Wᵀ·xᵀ)ᵀ + 3, with an exact number of its own.
Graph turned(const Subprogram& original) {
  GraphBuilder b;
  const Node& product = original.program.node(original.place.at(original.nodes.front()));
  const NodeId x = b.add_input("in0", original.program.node(product.operands[0]).type);
  const NodeId w =
      b.add_constant(std::get<ConstantLeaf>(original.program.node(product.operands[1]).what));
  const auto transposed = [&](NodeId id) {
    return *b.add(ops::transpose(), {{"perm", Ints{1, 0}}}, {id});
  };
  const NodeId y = transposed(*b.add(ops::mat_mul(), {}, {transposed(w), transposed(x)}));
  const NodeId once = *b.add(ops::add(), {}, {y, b.add_scalar(1)});
  b.add_output(*b.add(ops::add(), {}, {once, b.add_scalar(2)}));
  return std::move(b).build();
}

}  // namespace

TEST_CASE("A mutant of one place becomes a mutant of another with that place's weights") {
  Programs p;
  const NodeId x = p.input({3, 4});
  const NodeId a = p.matmul(x, 4);
  const NodeId a3 = p.add(a, p.number(3));
  const NodeId b = p.matmul(p.relu(a3), 4);
  const NodeId b3 = p.add(b, p.number(3));
  p.output(b3);
  const Graph program = std::move(p).build();
  const Subprogram from = extract(program, std::vector{a, a3});
  const Subprogram to = extract(program, std::vector{b, b3});
  REQUIRE(from.key == to.key);
  const Graph mutant = turned(from);
  CHECK(compared(from.program, mutant) == Outcome::Equivalent);
  CHECK(compared(to.program, mutant) == Outcome::Different);
  const auto carried = transfer(mutant, from, to);
  REQUIRE(carried.ok());
  CHECK(compared(to.program, *carried) == Outcome::Equivalent);
  CHECK(transfer(*carried, to, from)->digest() == mutant.digest());
}

TEST_CASE("Values whose readers stand between them are replaced by one program") {
  Programs p;
  const NodeId x = p.input({3, 4});
  const NodeId early = p.matmul(x, 4);
  const NodeId reader = p.relu(early);
  const NodeId late = p.matmul(p.relu(p.add(x, x)), 4);
  p.output(p.add(reader, late));
  const Graph program = std::move(p).build();
  const Subprogram both = extract(program, std::vector{early, late});
  const Substitute substitute{&both.program, both.inputs, both.outputs};
  const auto replaced = with_replaced(program, std::span(&substitute, 1));
  REQUIRE(replaced.ok());
  CHECK(compared(program, *replaced) == Outcome::Equivalent);
  CHECK(replaced->digest() != program.digest());  // the reader waits for the program
}

TEST_CASE("A subprogram's key does not depend on names or on the numbers of its weights") {
  const auto subprogram = [](std::uint64_t seed, Dim results, float shift) {
    Programs p(seed);
    const NodeId product = p.matmul(p.relu(p.input({3, 4})), results);
    const NodeId sum = p.add(product, p.number(shift));
    p.output(sum);
    return extract(std::move(p).build(), std::vector{product, sum}).key;
  };
  CHECK(subprogram(1, 4, 3) == subprogram(2, 4, 3));
  CHECK(subprogram(1, 4, 3) != subprogram(1, 5, 3));
  CHECK(subprogram(1, 4, 3) != subprogram(1, 4, 2));
}
