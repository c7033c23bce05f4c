// Which nodes of one program stand for which of another.
#include "core/program/counterparts.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/analysis/commutative.h"
#include "core/ops/ops.h"
#include "core/util/rng.h"
#include "tests/support/weights.h"

using namespace pet;

namespace {

// Values by name; what computes them, in few words.
class Named {
 public:
  NodeId input(const std::string& name, Shape shape) {
    return builder_.add_input(name, float_tensor(std::move(shape)));
  }
  NodeId weight(float first) {
    return builder_.add_constant(test::float_constant({3}, {first, first + 1, first + 2}));
  }
  NodeId op(const std::string& name, std::string_view op, std::vector<NodeId> operands,
            Attrs attrs = {}) {
    auto made = builder_.add(*ops::find(op), std::move(attrs), std::move(operands), name);
    REQUIRE(made.ok());
    return *made;
  }
  NodeId turned(const std::string& name, NodeId x) {
    return op(name, "Transpose", {x}, {{"perm", Ints{1, 0}}});
  }
  Graph finish(const std::vector<NodeId>& outputs) && {
    for (const NodeId id : outputs) builder_.add_output(id);
    return std::move(builder_).build();
  }

 private:
  GraphBuilder builder_;
};

std::vector<std::string> names(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::vector<std::string> out;
  for (const NodeId id : nodes) {
    const Node& node = graph.node(id);
    out.push_back(node.input() != nullptr ? node.input()->name : node.name);
  }
  return out;
}

using Names = std::vector<std::string>;

// Each node that takes part stands in one pair or one change, and pairs cross nowhere.
void check_whole(const Graph& here, const Graph& there, const Counterparts& made) {
  std::set<NodeId> seen_here, seen_there;
  for (const auto& [a, b] : made.unchanged) {
    CHECK(seen_here.insert(a).second);
    CHECK(seen_there.insert(b).second);
    CHECK(here.node(a).type == there.node(b).type);
    CHECK((here.node(a).input() != nullptr || here.what_is(a) == there.what_is(b)));
  }
  for (const Change& one : made.changes) {
    CHECK_FALSE((one.here.empty() && one.there.empty()));
    for (const NodeId id : one.here) CHECK(seen_here.insert(id).second);
    for (const NodeId id : one.there) CHECK(seen_there.insert(id).second);
  }
  const auto live = [](const Graph& graph) {
    const auto depends = graph.depends_on_inputs();
    return static_cast<std::size_t>(std::ranges::count_if(depends, [](char c) { return c != 0; }));
  };
  CHECK(seen_here.size() == live(here));
  CHECK(seen_there.size() == live(there));
  std::size_t together = 0;
  for (const JointEntry& entry : joint_order(here, there, made.unchanged, {}))
    if (entry.here && entry.there) ++together;
  CHECK(together == made.unchanged.size());
}

Counterparts compared(const Graph& here, const Graph& there) {
  const Counterparts made = counterparts(here, there);
  check_whole(here, there, made);
  return made;
}

// x + w -> Relu -> `middle` -> Sigmoid -> * v
Graph around(const std::function<NodeId(Named&, NodeId)>& middle) {
  Named p;
  const NodeId a = p.op("a", "Add", {p.input("x", {3, 3}), p.weight(1)});
  const NodeId c = p.op("c", "Sigmoid", {middle(p, p.op("b", "Relu", {a}))});
  return std::move(p).finish({p.op("d", "Mul", {c, p.weight(9)})});
}

Graph plain() {
  return around([](Named& p, NodeId x) { return p.op("m", "Tanh", {x}); });
}

}  // namespace

TEST_CASE("A program differs from itself nowhere") {
  const Graph program = plain();
  const Counterparts made = compared(program, program);
  CHECK(made.changes.empty());
  CHECK(made.unchanged.size() == 6);
  for (const auto& [a, b] : made.unchanged) CHECK(a == b);
}

TEST_CASE("A node that became several is one change, and all around it is unchanged") {
  const Graph there = around(
      [](Named& p, NodeId x) { return p.turned("n2", p.op("n1", "Tanh", {p.turned("n0", x)})); });
  const Graph here = plain();
  const Counterparts made = compared(here, there);
  CHECK(made.unchanged.size() == 5);
  REQUIRE(made.changes.size() == 1);
  CHECK(names(here, made.changes[0].here) == Names{"m"});
  CHECK(names(there, made.changes[0].there) == Names{"n0", "n1", "n2"});
}

TEST_CASE("What is only in one of both is a change with an empty side") {
  const Graph there = around(
      [](Named& p, NodeId x) { return p.op("n", "Tanh", {p.turned("t", p.turned("s", x))}); });
  const Graph here = plain();
  const Counterparts made = compared(here, there);
  CHECK(made.unchanged.size() == 6);
  REQUIRE(made.changes.size() == 1);
  CHECK(made.changes[0].here.empty());
  CHECK(names(there, made.changes[0].there) == Names{"s", "t"});
  const Counterparts back = compared(there, here);
  REQUIRE(back.changes.size() == 1);
  CHECK(back.changes[0].there.empty());
}

TEST_CASE("Operands of a sum may change places, those of a difference may not") {
  const auto program = [](std::string_view op, bool is_swapped) {
    Named p;
    const NodeId x = p.op("a", "Relu", {p.input("x", {2, 3})});
    const NodeId y = p.op("b", "Tanh", {p.input("y", {2, 3})});
    const NodeId both = is_swapped ? p.op("c", op, {y, x}) : p.op("c", op, {x, y});
    return std::move(p).finish({p.op("d", "Exp", {both})});
  };
  for (const char* op : {"Add", "Mul"}) {
    INFO(op);
    CHECK(is_commutative(program(op, false), NodeId(4)));
    CHECK(compared(program(op, false), program(op, true)).changes.empty());
  }
  const Graph here = program("Sub", false), there = program("Sub", true);
  CHECK_FALSE(is_commutative(here, NodeId(4)));
  const Counterparts made = compared(here, there);
  REQUIRE(made.changes.size() == 1);
  CHECK(names(here, made.changes[0].here) == Names{"c"});
  CHECK(names(there, made.changes[0].there) == Names{"c"});
}

TEST_CASE("A product of matrices does not commute, though both have one shape") {
  Named p;
  const NodeId product = p.op("c", "MatMul", {p.input("x", {3, 3}), p.input("y", {3, 3})});
  const Graph program = std::move(p).finish({product});
  CHECK_FALSE(is_commutative(program, product));
}

TEST_CASE("Of nodes that compute the same in the same way each has a partner of its own") {
  const auto program = [](bool has_two) {
    Named p;
    const NodeId x = p.input("x", {2, 2}), y = p.input("y", {2, 2});
    const NodeId one = p.op("one", "Add", {x, y});
    const NodeId two = has_two ? p.op("two", "Add", {y, x}) : one;
    return std::move(p).finish({p.op("e", "Exp", {one}), p.op("t", "Tanh", {two})});
  };
  CHECK(compared(program(true), program(true)).changes.empty());
  const Graph here = program(true), there = program(false);
  const Counterparts made = compared(here, there);
  REQUIRE(made.changes.size() == 1);
  CHECK(names(here, made.changes[0].here) == Names{"two"});
  CHECK(made.changes[0].there.empty());
}

TEST_CASE(
    "Names are not needed: values and inputs that are called otherwise stand for each other") {
  const auto program = [](const std::string& before) {
    Named p;
    const NodeId x = p.input(before + "x", {3, 3});
    const NodeId a = p.op(before + "a", "Mul", {x, p.weight(4)});
    return std::move(p).finish({p.op(before + "b", "Relu", {a})});
  };
  CHECK(compared(program(""), program("other/")).changes.empty());
}

TEST_CASE("Names that lie are not believed against operators, constants and operands") {
  // x * 1.. -> Relu -> * 4.. -> Relu, and the same with an Exp first, numbered on.
  const auto program = [](bool has_more) {
    Named p;
    std::size_t number = 0;
    const auto name = [&] { return "v" + std::to_string(number++); };
    NodeId x = p.input("x", {3, 3});
    if (has_more) x = p.op(name(), "Exp", {x});
    for (const float first : {1.F, 4.F}) {
      x = p.op(name(), "Mul", {x, p.weight(first)});
      x = p.op(name(), "Relu", {x});
    }
    return std::move(p).finish({x});
  };
  const Graph here = program(false), there = program(true);
  const Counterparts made = compared(here, there);
  CHECK(made.unchanged.size() == 5);
  REQUIRE(made.changes.size() == 1);
  CHECK(names(there, made.changes[0].there) == Names{"v0"});
}

TEST_CASE("An operator with other constants or other attributes is replaced by that") {
  const auto program = [](float first, Ints perm) {
    Named p;
    const NodeId a = p.op("a", "Add", {p.input("x", {3, 3}), p.weight(first)});
    const NodeId b = p.op("b", "Transpose", {a}, {{"perm", std::move(perm)}});
    return std::move(p).finish({p.op("c", "Exp", {p.op("r", "Relu", {b})})});
  };
  const Graph here = program(1, {1, 0});
  for (const Graph& there : {program(5, {1, 0}), program(1, {0, 1})}) {
    const Counterparts made = compared(here, there);
    REQUIRE(made.changes.size() == 1);
    CHECK(made.changes[0].here.size() == 1);
    CHECK(made.changes[0].there.size() == 1);
    CHECK(made.unchanged.size() == 4);
  }
}

TEST_CASE("Nodes that changed places are told, and nothing crosses") {
  const auto program = [](const std::vector<std::string>& order) {
    Named p;
    NodeId x = p.op("a", "Exp", {p.input("x", {2, 3})});
    for (const std::string& name : order)
      x = name == "t" ? p.turned(name, x) : p.op(name, name == "r" ? "Relu" : "Tanh", {x});
    return std::move(p).finish({p.op("b", "Sigmoid", {x})});
  };
  const Graph here = program({"r", "h"}), there = program({"h", "r"});
  const Counterparts made = compared(here, there);
  REQUIRE(made.changes.size() == 1);
  CHECK(made.changes[0].here.size() == 1);
  CHECK(made.changes[0].there.size() == 1);
  CHECK(made.unchanged.size() == 4);
  // The type of the one is another then: it is none of those that stand for each other.
  const Counterparts turned = compared(program({"r", "t"}), program({"t", "r"}));
  CHECK(turned.changes.size() == 2);
  CHECK(turned.unchanged.size() == 4);
}

TEST_CASE("Places that are apart are changes apart, in the order of the programs") {
  const auto program = [](bool is_other) {
    Named p;
    NodeId x = p.input("x", {3, 3});
    for (int i = 0; i < 4; ++i) {
      const std::string number = std::to_string(i);
      x = p.op("m" + number, "Mul", {x, p.weight(static_cast<float>(10 * i))});
      const bool changes = is_other && i % 2 == 0;
      x = changes ? p.op("r" + number, "Abs", {p.turned("t" + number, x)})
                  : p.op("r" + number, "Relu", {x});
    }
    return std::move(p).finish({x});
  };
  const Graph here = program(false), there = program(true);
  const Counterparts made = compared(here, there);
  REQUIRE(made.changes.size() == 2);
  CHECK(names(here, made.changes[0].here) == Names{"r0"});
  CHECK(names(there, made.changes[0].there) == Names{"t0", "r0"});
  CHECK(names(here, made.changes[1].here) == Names{"r2"});
}

TEST_CASE("Outputs that changed places are seen") {
  const auto program = [](bool is_swapped) {
    Named p;
    const NodeId x = p.input("x", {2, 2});
    const NodeId a = p.op("a", "Exp", {x}), b = p.op("b", "Tanh", {x});
    return std::move(p).finish(is_swapped ? std::vector{b, a} : std::vector{a, b});
  };
  CHECK_FALSE(compared(program(false), program(true)).changes.empty());
}

TEST_CASE("What is known of a pass comes before what can be seen") {
  Named p;
  const NodeId x = p.input("x", {2, 3});
  const NodeId relu = p.op("r", "Relu", {p.turned("t", x)});
  const Graph here = std::move(p).finish({p.turned("u", relu)});
  Named q;
  const NodeId y = q.input("x", {2, 3});
  const Graph there = std::move(q).finish({q.op("u", "Relu", {y})});
  const Provenance became = {{{NodeId(0), NodeId(1)}, {NodeId(0)}},
                             {{NodeId(2), NodeId(3)}, {NodeId(1)}}};
  const Counterparts made = counterparts(here, there, became, Constants::Apart);
  check_whole(here, there, made);
  REQUIRE(made.changes.size() == 1);
  CHECK(names(here, made.changes[0].here) == Names{"t", "r", "u"});
}

TEST_CASE("Weights that a pass computed ahead of time are its change, where constants take part") {
  const auto program = [](bool is_folded) {
    Named p;
    const NodeId x = p.input("x", {3});
    const NodeId w = is_folded ? p.weight(8) : p.op("t", "Exp", {p.weight(2)});
    return std::move(p).finish({p.op("y", "Mul", {x, w})});
  };
  const Graph here = program(false), there = program(true);
  const Provenance became = {{{NodeId(0)}, {NodeId(0)}},
                             {{NodeId(1), NodeId(2)}, {NodeId(1)}},
                             {{NodeId(3)}, {NodeId(2)}}};
  const Counterparts made = counterparts(here, there, became, Constants::TakePart);
  CHECK(made.unchanged == std::vector<NodePair>{{NodeId(0), NodeId(0)}, {NodeId(3), NodeId(2)}});
  REQUIRE(made.changes.size() == 1);
  CHECK(made.changes[0] == Change{{NodeId(1), NodeId(2)}, {NodeId(1)}});
  CHECK(counterparts(here, there, became, Constants::Apart).unchanged.size() == 1);
}

TEST_CASE("A chain of ten thousand nodes with a place replaced is compared in no time") {
  const auto program = [](bool is_other) {
    Named p;
    NodeId x = p.input("x", {3, 3});
    for (std::size_t i = 0; i < 10'000; ++i) {
      const std::string name = "v" + std::to_string(i);
      if (is_other && i == 5'000) x = p.turned("t", p.turned("s", x));
      x = p.op(name, i % 3 == 0 ? "Relu" : "Tanh", {x});
    }
    return std::move(p).finish({x});
  };
  const Graph here = program(false), there = program(true);
  const Counterparts made = counterparts(here, there);
  CHECK(made.unchanged.size() == 10'001);
  REQUIRE(made.changes.size() == 1);
  CHECK(names(there, made.changes[0].there) == Names{"s", "t"});
}

TEST_CASE("Random programs are taken apart whole, and the other way round they differ as much") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    INFO(seed);
    const auto program = [&](std::uint64_t flavour) {
      Rng shape(seed), change(flavour);
      Named p;
      std::vector<NodeId> values = {p.input("x", {3, 3}), p.input("y", {3, 3})};
      for (int i = 0; i < 30; ++i) {
        const std::string name = "v" + std::to_string(i);
        const NodeId a = values[shape.below(values.size())], b = values[shape.below(values.size())];
        const std::uint64_t what = flavour > 0 && change.below(8) == 0 ? 3 : shape.below(3);
        values.push_back(what == 0   ? p.op(name, "Add", {a, b})
                         : what == 1 ? p.op(name, "Relu", {a})
                         : what == 2 ? p.op(name, "Mul", {a, p.weight(static_cast<float>(i))})
                                     : p.turned(name, a));
      }
      return std::move(p).finish({values.back()});
    };
    const Graph here = program(0), there = program(seed + 1);
    const Counterparts one = compared(here, there), back = compared(there, here);
    CHECK(one.changes.empty() == back.changes.empty());
    CHECK(counterparts(here, there).changes == one.changes);
  }
}
