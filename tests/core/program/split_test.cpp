#include "core/program/split.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "core/program/activations.h"
#include "tests/core/program/programs.h"
#include "tests/support/seeded.h"

using namespace pet;
using pet::test::Programs;

namespace {

std::set<std::vector<NodeId>> places_of(const Split& split) {
  std::set<std::vector<NodeId>> out;
  for (const SubprogramClass& same : split.classes) {
    for (const Subprogram& place : same.places) CHECK(out.insert(place.nodes).second);
  }
  return out;
}

const SubprogramClass* class_with(const Split& split, const std::vector<NodeId>& nodes) {
  for (const SubprogramClass& same : split.classes) {
    for (const Subprogram& place : same.places) {
      if (place.nodes == nodes) return &same;
    }
  }
  return nullptr;
}

// By walking the program, without any of what split() keeps.
class Slow {
 public:
  explicit Slow(const Graph& program) : program_(program), users_(program.consumers()) {}

  bool is_connected(const std::set<NodeId>& set) const {
    std::set<NodeId> seen{*set.begin()};
    std::vector<NodeId> open{*set.begin()};
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      for (const auto* list : {&program_.node(id).operands, &users_[id.index()]}) {
        for (const NodeId next : *list) {
          if (set.contains(next) && seen.insert(next).second) open.push_back(next);
        }
      }
    }
    return seen == set;
  }
  bool is_needed(NodeId id) const {
    const auto& outputs = program_.outputs();
    return std::find(outputs.begin(), outputs.end(), id) != outputs.end() ||
           std::any_of(users_[id.index()].begin(), users_[id.index()].end(),
                       [&](NodeId user) { return is_needed(user); });
  }
  bool is_convex(const std::set<NodeId>& set) const {
    std::set<NodeId> left;  // what depends on the set, outside it
    for (const NodeId id : program_.ids()) {
      for (const NodeId operand : program_.node(id).operands) {
        if (left.contains(operand) && set.contains(id)) return false;
        if ((left.contains(operand) || set.contains(operand)) && !set.contains(id)) left.insert(id);
      }
    }
    return true;
  }

 private:
  const Graph& program_;
  std::vector<std::vector<NodeId>> users_;
};

Graph random_program(Rng& rng) {
  Programs p;
  std::vector<NodeId> values{p.input({2, 2}), p.input({2, 2})};
  const auto any = [&] {
    return values[static_cast<std::size_t>(
        rng.between(std::max<Dim>(0, static_cast<Dim>(values.size()) - 4),
                    static_cast<Dim>(values.size()) - 1))];
  };
  for (int i = 0; i < 9; ++i) {
    const NodeId a = any();
    values.push_back(rng.between(0, 3) == 0 ? p.relu(a) : p.add(a, any()));
  }
  p.output(values.back());
  return std::move(p).build();
}

}  // namespace

TEST_CASE("A residual block is cut at its ReLU, and the sum goes with either branch or both") {
  Programs p;
  const NodeId x = p.input({1, 4, 6, 6});
  const NodeId first = p.conv(x, 6);
  const NodeId second = p.conv(p.relu(first), 6);
  const NodeId shortcut = p.op(ops::conv(), {x, p.weight({6, 4, 1, 1})});
  const NodeId sum = p.add(second, shortcut);
  p.output(p.relu(sum));
  const Graph program = std::move(p).build();
  const std::set<std::vector<NodeId>> two{{first}, {second},      {shortcut},
                                          {sum},   {second, sum}, {shortcut, sum}};
  CHECK(places_of(split(program, {.max_operators = 2})) == two);
  std::set<std::vector<NodeId>> three = two;
  three.insert({second, shortcut, sum});
  CHECK(places_of(split(program, {.max_operators = 3})) == three);
}

TEST_CASE(
    "Products of one kind go with the additions that add them up, unless they are read elsewhere") {
  for (const bool read_elsewhere : {false, true}) {
    Programs p;
    const NodeId a = p.conv(p.input({1, 4, 6, 6}), 6);
    const NodeId b = p.conv(p.input({1, 4, 6, 6}), 6);
    const NodeId c = p.conv(p.input({1, 4, 6, 6}), 6);
    const NodeId first = p.add(a, b);
    const NodeId sum = p.add(first, c);
    p.output(p.relu(sum));
    if (read_elsewhere) p.output(p.relu(c));
    const Split found = split(std::move(p).build(), {.max_operators = 2});
    CHECK(class_with(found, {a, b, first}) != nullptr);
    CHECK((class_with(found, {a, b, c, first, sum}) == nullptr) == read_elsewhere);
  }
}

TEST_CASE("Every connected convex set of linear operators is found, and no other") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  for (int round = 0; round < 50; ++round) {
    const Graph program = random_program(rng);
    INFO(to_string(program));
    std::vector<NodeId> linear;
    const Slow slow(program);
    for (const NodeId id : program.ids()) {
      if (program.node(id).op() != nullptr && is_linear_in_activations(program, id) &&
          slow.is_needed(id))
        linear.push_back(id);
    }
    std::set<std::vector<NodeId>> expected;
    for (std::size_t bits = 1; bits < std::size_t{1} << linear.size(); ++bits) {
      std::set<NodeId> set;
      for (std::size_t i = 0; i < linear.size(); ++i) {
        if ((bits >> i & 1U) != 0) set.insert(linear[i]);
      }
      if (set.size() <= 3 && slow.is_connected(set) && slow.is_convex(set))
        expected.insert({set.begin(), set.end()});
    }
    CHECK(places_of(split(program, {.max_operators = 3})) == expected);
  }
}

TEST_CASE("What no output needs is no subprogram") {
  Programs p;
  const NodeId x = p.input({1, 4, 6, 6});
  const NodeId read = p.conv(x, 4);
  p.conv(p.conv(read, 4), 4);
  p.output(read);
  const Graph program = std::move(p).build();
  CHECK(places_of(split(program, {.max_operators = 2})) == std::set<std::vector<NodeId>>{{read}});
}

TEST_CASE("Products of one value are siblings, and so are those of different values of one shape") {
  Programs p;
  const NodeId x = p.input({1, 4, 6, 6});
  const NodeId a = p.conv(x, 6);
  const NodeId b = p.conv(x, 2);
  const NodeId c = p.conv(p.input({1, 4, 6, 6}), 3);
  for (const NodeId id : {a, b, c}) p.output(id);
  const Graph program = std::move(p).build();
  const Split found = split(program, {.max_operators = 1});
  const std::set<std::vector<NodeId>> expected{{a}, {b}, {c}, {a, b}, {a, b, c}};
  CHECK(places_of(found) == expected);
  const SubprogramClass* all = class_with(found, {a, b, c});
  REQUIRE(all != nullptr);
  CHECK(all->representative().outputs == std::vector<NodeId>{a, b, c});
}

TEST_CASE("What depends on one another is no pair of siblings, nor are different kernels") {
  Programs p;
  const NodeId x = p.input({3, 4});
  const NodeId first = p.matmul(x, 4);
  const NodeId second = p.matmul(p.relu(first), 4);
  const NodeId map = p.input({1, 4, 6, 6});
  const NodeId wide = p.conv(map, 4);
  const NodeId narrow = p.op(ops::conv(), {map, p.weight({4, 4, 1, 1})});
  for (const NodeId id : {second, wide, narrow}) p.output(id);
  const std::set<std::vector<NodeId>> expected{{first}, {second}, {wide}, {narrow}};
  CHECK(places_of(split(std::move(p).build(), {.max_operators = 2})) == expected);
}

TEST_CASE("Equal subprograms with other weights are one class, and sharing a weight counts") {
  Programs p;
  const NodeId x = p.input({3, 4});
  const NodeId a = p.matmul(x, 4);
  const NodeId b = p.matmul(p.relu(a), 4);
  const NodeId tall = p.matmul(p.relu(b), 5);
  const NodeId own = p.matmul(p.relu(tall), 5);
  const NodeId pair = p.matmul(own, 5);
  const NodeId w = p.weight({5, 5});
  const NodeId shared = p.op(ops::mat_mul(), {p.relu(pair), w});
  const NodeId again = p.op(ops::mat_mul(), {shared, w});
  p.output(again);
  const Split found = split(std::move(p).build(), {.max_operators = 2});
  CHECK(class_with(found, {a}) == class_with(found, {b}));
  CHECK(class_with(found, {a}) != class_with(found, {tall}));
  REQUIRE(class_with(found, {own, pair}) != nullptr);
  CHECK(class_with(found, {own, pair}) != class_with(found, {shared, again}));
}

TEST_CASE("Constants of one element count by their value") {
  Programs p;
  const NodeId x = p.input({3});
  const NodeId twice = p.op(ops::mul(), {x, p.number(2)});
  const NodeId thrice = p.op(ops::mul(), {p.relu(twice), p.number(3)});
  const NodeId twice_again = p.op(ops::mul(), {p.relu(thrice), p.number(2)});
  p.output(twice_again);
  const Split found = split(std::move(p).build(), {.max_operators = 1});
  CHECK(class_with(found, {twice}) == class_with(found, {twice_again}));
  CHECK(class_with(found, {twice}) != class_with(found, {thrice}));
}

TEST_CASE("Beyond the cap sets are counted, smaller and earlier ones kept") {
  Programs p;
  NodeId x = p.input({3, 4});
  for (int i = 0; i < 10; ++i) x = p.matmul(x, 4);
  p.output(x);
  const Graph program = std::move(p).build();
  const Split all = split(program, {.max_operators = 3});
  CHECK(all.left_out == 0);
  CHECK(places_of(all).size() == 10 + 9 + 8);
  const Split some = split(program, {.max_operators = 3, .max_sets = 14});
  CHECK(places_of(some).size() == 14);
  CHECK(some.left_out == 5);
}

TEST_CASE("Attention is left whole and its projections are siblings") {
  Programs p;
  const NodeId x = p.input({2, 4, 6});
  const NodeId q = p.matmul(x, 6);
  const NodeId k = p.matmul(x, 6);
  const NodeId v = p.matmul(x, 6);
  const NodeId turned = p.op(ops::transpose(), {k}, {{"perm", Ints{0, 2, 1}}});
  const NodeId scores = p.op(ops::mat_mul(), {q, turned});
  const NodeId mixed = p.op(ops::mat_mul(), {p.op(ops::softmax(), {scores}), v});
  p.output(mixed);
  const std::set<std::vector<NodeId>> expected{{q}, {k}, {v}, {turned}, {k, turned}, {q, k, v}};
  CHECK(places_of(split(std::move(p).build(), {.max_operators = 2})) == expected);
}
