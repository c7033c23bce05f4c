// Pairs of ONNX files that the textual syntax of cases cannot express. Over 400 lines: each pair is
// built by its own code.
#include "verify/files/file_proof.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/verify/files_of_x.h"

using namespace pet;
using pet::testing::OnnxBuilder;
using namespace pet::testing::files;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

OnnxBuilder random_difference(bool merged) {
  return of_x([&](OnnxBuilder& b) {
    for (const char* name : {"r", "s"}) {
      auto& node = b.node("RandomNormal", {}, {name});
      auto& shape = OnnxBuilder::attribute(node, "shape", ::onnx::AttributeProto::INTS);
      shape.add_ints(2);
      shape.add_ints(3);
    }
    b.node("Sub", {"r", merged ? "r" : "s"}, {"d"});
    b.node("Add", {"x", "d"}, {"y"});
  });
}

OnnxBuilder opaque(const std::string& op, const std::string& domain, const std::string& operand) {
  return of_x([&](OnnxBuilder& b) {
    if (!domain.empty()) {
      auto* import = b.model.add_opset_import();
      import->set_domain(domain);
      import->set_version(1);
    }
    b.node("Add", {"x", "x"}, {"a"});
    b.node("Sub", {"a", "x"}, {"b"});  // equal to x
    b.node(op, {operand}, {"y"}, domain);
  });
}

}  // namespace

TEST_CASE("x + (-inf) - (-inf) is not x, in whatever way the infinity arrives") {
  const auto plain = of_x([](OnnxBuilder& b) { b.node("Identity", {"x"}, {"y"}); });
  const auto direct = of_x([](OnnxBuilder& b) {
    b.floats("c", {}, {-kInfinity});
    b.node("Add", {"x", "c"}, {"a"});
    b.node("Sub", {"a", "c"}, {"y"});
  });
  const auto moved = of_x([](OnnxBuilder& b) {
    b.floats("c", {3}, {-kInfinity, 1, 2});
    b.node("Identity", {"c"}, {"i"});
    b.integers("s", {1, 3});
    b.node("Reshape", {"i", "s"}, {"r"});
    b.node("Add", {"x", "r"}, {"a"});
    b.node("Sub", {"a", "r"}, {"y"});
  });
  CHECK(prove(plain, direct).outcome == Outcome::Unknown);
  CHECK(prove(plain, moved).outcome == Outcome::Unknown);
  CHECK(prove(moved, moved).outcome == Outcome::Equivalent);
}

TEST_CASE("Two random nodes are two, and each is only itself") {
  CHECK(prove(random_difference(false), random_difference(true)).outcome == Outcome::Unknown);
  CHECK(prove(random_difference(false), random_difference(false)).outcome == Outcome::Equivalent);
}

TEST_CASE("An opaque node is a function of its operands' values") {
  CHECK(prove(opaque("Hardmax", "", "x"), opaque("Hardmax", "", "b")).outcome ==
        Outcome::Equivalent);
  CHECK(prove(opaque("Hardmax", "", "x"), opaque("Hardmax", "", "a")).outcome == Outcome::Unknown);
  CHECK(prove(opaque("Hardmax", "", "x"), opaque("LpNormalization", "", "x")).outcome ==
        Outcome::Unknown);
}

TEST_CASE("Rounding must not decide what an opaque node reads") {
  const auto through = [](const std::string& operand) {
    return of_x([&](OnnxBuilder& b) {
      b.floats("c", {}, {1e30F});
      b.node("Add", {"x", "c"}, {"a"});
      b.node("Sub", {"a", "c"}, {"b"});  // equal to x over the reals alone
      b.node("Hardmax", {operand}, {"y"});
    });
  };
  CHECK(prove(through("x"), through("b")).reason.starts_with("ill-conditioned"));
  CHECK(prove(through("b"), through("x")).outcome == Outcome::Equivalent);
}

TEST_CASE("A value that an opaque node reads twice is not rounded in two ways") {
  const auto compared = [](const std::string& with) {
    return of_x([&](OnnxBuilder& b) {
      b.floats("c", {}, {1000});
      b.node("Add", {"x", "c"}, {"a"});
      b.node("Sub", {"a", "c"}, {"d"});  // equal to x but for rounding
      b.node("Identity", {"x"}, {"i"});  // and this without
      b.node("Equal", {"x", with}, {"y"});
      b.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(9);
    });
  };
  CHECK(prove(compared("x"), compared("d")).reason.starts_with("rounding"));
  CHECK(prove(compared("x"), compared("i")).outcome == Outcome::Equivalent);
  CHECK(prove(compared("d"), compared("d")).outcome == Outcome::Equivalent);
}

TEST_CASE("A node of an unknown domain is itself under its own name only") {
  auto other = opaque("Thing", "somebody", "x");
  other.graph().mutable_node(2)->set_output(0, std::string("z"));
  other.node("Identity", {"z"}, {"y"});
  CHECK(prove(opaque("Thing", "somebody", "x"), opaque("Thing", "somebody", "x")).outcome ==
        Outcome::Equivalent);
  CHECK(prove(opaque("Thing", "somebody", "x"), other).outcome == Outcome::Unknown);
}

TEST_CASE("An opaque node that cancels is not free: the original does not run it") {
  const auto plain = of_x([](OnnxBuilder& b) { b.node("Identity", {"x"}, {"y"}); });
  const auto cancelled = of_x([](OnnxBuilder& b) {
    b.node("Hardmax", {"x"}, {"a"});
    b.node("Sub", {"a", "a"}, {"d"});
    b.node("Add", {"x", "d"}, {"y"});
  });
  CHECK(prove(plain, cancelled).outcome == Outcome::Unknown);
}

TEST_CASE("An opaque node that no output needs may fail at run time all the same") {
  const auto with = [](bool gathers, bool stays) {
    return of_x([&](OnnxBuilder& b) {
      b.integers("i", {100});
      if (gathers) b.node("Gather", {"x", "i"}, {"g"});
      b.node(stays ? "Identity" : "Relu", {"x"}, {"y"});
    });
  };
  CHECK(prove(with(false, true), with(true, true)).reason.starts_with("domain"));
  CHECK(prove(with(true, true), with(false, true)).outcome == Outcome::Equivalent);
  CHECK(prove(with(true, true), with(true, true)).outcome == Outcome::Equivalent);
  CHECK(prove(with(true, true), with(true, false)).outcome != Outcome::Unknown);
}

TEST_CASE("What an opaque node that no output needs reads excuses nothing") {
  const auto scaled = [](const std::string& read_by_idle, bool is_scaled) {
    return of_x([&](OnnxBuilder& b) {
      b.floats("up", {}, {0x1p126F});
      b.floats("down", {}, {0x1p-126F});
      b.node("Mul", {"x", "up"}, {"far"});
      b.node("Mul", {"far", "down"}, {"back"});
      if (!read_by_idle.empty()) b.node("Hardmax", {read_by_idle}, {"idle"});
      b.node("Identity", {is_scaled ? "back" : "x"}, {"y"});
    });
  };
  CHECK(prove(scaled("", false), scaled("", true)).outcome == Outcome::Unknown);
  CHECK(prove(scaled("back", false), scaled("", true)).outcome == Outcome::Unknown);
  CHECK(prove(scaled("back", false), scaled("back", true)).outcome == Outcome::Unknown);
  CHECK(prove(scaled("back", true), scaled("back", true)).outcome == Outcome::Equivalent);
}

TEST_CASE("What an opaque node reads may be undefined where the original's is not") {
  const auto roots = [](bool both) {
    OnnxBuilder b;
    b.input("x", {2});
    b.output("y", {1});
    b.integers("zero", {0});
    b.integers("one", {1});
    b.integers("two", {2});
    b.node("Sqrt", {"x"}, {"r"});
    b.node("Slice", {"r", "zero", "one"}, {"first"});
    if (both) {
      b.node("Slice", {"r", "one", "two"}, {"second"});
      b.node("Sub", {"second", "second"}, {"nothing"});
      b.node("Add", {"first", "nothing"}, {"sum"});
    }
    b.node("Hardmax", {both ? "sum" : "first"}, {"y"});
    return b;
  };
  const FileVerdict verdict = prove(roots(false), roots(true));
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason.find("depends on results of Sqrt") != std::string::npos);
  CHECK(prove(roots(true), roots(false)).outcome == Outcome::Equivalent);
  CHECK(prove(roots(true), roots(true)).outcome == Outcome::Equivalent);
}

TEST_CASE("An output that opaque nodes do not reach is still found to differ") {
  const auto two = [](const std::string& op) {
    return of_x([&](OnnxBuilder& b) {
      b.output("z", {2, 3});
      b.node("Hardmax", {"x"}, {"z"});
      b.node(op, {"x"}, {"y"});
    });
  };
  const FileVerdict v = prove(two("Relu"), two("Sigmoid"));
  REQUIRE(v.outputs.size() == 2);
  CHECK(v.outputs[0].outcome == Outcome::Different);
  CHECK(v.outputs[0].witness.has_value());
  CHECK(v.outputs[1].outcome == Outcome::Equivalent);
}

TEST_CASE("Initialisers are known by their bits, not by their names") {
  const auto times = [](const std::string& name, float last) {
    return of_x([&](OnnxBuilder& b) {
      b.floats(name, {3}, {1, 2, last});
      b.node("Mul", {"x", name}, {"y"});
    });
  };
  const FileVerdict other_bits = prove(times("w", 3), times("w", std::nextafter(3.0F, 4.0F)));
  CHECK(other_bits.outcome == Outcome::Different);
  CHECK(other_bits.outputs[0].witness.has_value());
  CHECK(prove(times("w", 3), times("renamed", 3)).outcome == Outcome::Equivalent);
}

TEST_CASE(
    "A repeated weight gives no equality among symbols, and does so only when weights are bound") {
  const auto from_column = [](std::int64_t first) {
    OnnxBuilder b;
    b.input("x", {2, 1});
    b.output("y", {2, 1});
    b.floats("w", {2}, {5, 5});
    b.integers("f", {first});
    b.integers("l", {first + 1});
    b.node("Slice", {"w", "f", "l"}, {"c"});
    b.node("Mul", {"x", "c"}, {"y"});
    return b;
  };
  CHECK(prove(from_column(0), from_column(1)).outcome == Outcome::Unknown);
  FileProofOptions bound;
  bound.proof.bind_weights = true;
  CHECK(prove(from_column(0), from_column(1), bound).outcome == Outcome::Equivalent);
}

TEST_CASE(
    "An initialiser that a caller can override is an input, and its default is part of the "
    "interface") {
  const auto file = [](float value, std::int64_t ir, bool listed) {
    return of_x(
        [&](OnnxBuilder& b) {
          b.floats("w", {3}, {1, 2, value});
          if (listed) b.input("w", {3});
          b.node("Mul", {"x", "w"}, {"y"});
        },
        ir);
  };
  CHECK(prove(file(3, 8, true), file(3, 8, true)).outcome == Outcome::Equivalent);
  CHECK(prove(file(3, 8, true), file(4, 8, true)).outcome == Outcome::ShapeMismatch);
  CHECK(prove(file(3, 8, true), file(3, 8, false)).outcome == Outcome::ShapeMismatch);
  CHECK(prove(file(3, 3, true), file(3, 8, true)).outcome == Outcome::Equivalent);
}

TEST_CASE("Rounding is looked at where an input has its default, too") {
  const auto taken_away = [](bool listed, std::int64_t ir) {
    return of_x(
        [&](OnnxBuilder& b) {
          b.floats("k", {3}, {1e30F, 1e30F, 1e30F});
          if (listed) b.input("k", {3});
          b.node("Add", {"x", "k"}, {"a"});
          b.node("Sub", {"a", "k"}, {"y"});
        },
        ir);
  };
  const auto plain = [](bool listed, std::int64_t ir) {
    return of_x(
        [&](OnnxBuilder& b) {
          b.floats("k", {3}, {1e30F, 1e30F, 1e30F});
          if (listed) b.input("k", {3});
          b.node("Identity", {"x"}, {"y"});
        },
        ir);
  };
  for (const std::int64_t ir : {3, 8}) {
    const FileVerdict verdict = prove(plain(true, ir), taken_away(true, ir));
    CHECK(verdict.outcome == Outcome::Unknown);
    CHECK(prove(taken_away(true, ir), taken_away(true, ir)).outcome == Outcome::Equivalent);
  }
  CHECK(prove(plain(false, 8), taken_away(false, 8)).outcome == Outcome::Unknown);
  // Products that only the defaults take out of the floats.
  const auto products = [](const std::vector<std::string>& order) {
    return of_x([&](OnnxBuilder& b) {
      for (const auto& [name, value] : {std::pair("p", 1e30F), std::pair("q", 1e-30F)}) {
        b.floats(name, {3}, {value, value, value});
        b.input(name, {3});
      }
      std::string last = "x";
      for (std::size_t i = 0; i < order.size(); ++i) {
        const std::string next = i + 1 == order.size() ? "y" : "t" + std::to_string(i);
        b.node("Mul", {last, order[i]}, {next});
        last = next;
      }
    });
  };
  const FileVerdict beyond = prove(products({"p", "q", "p", "q"}), products({"p", "p", "q", "q"}));
  CHECK(beyond.outcome == Outcome::Unknown);
  CHECK(beyond.reason.starts_with("where the inputs have their defaults: "));
  // One that does no harm.
  const auto product = [](const std::string& a, const std::string& b) {
    return of_x([&](OnnxBuilder& file) {
      file.floats("k", {3}, {1, 2, 3});
      file.input("k", {3});
      file.node("Mul", {a, b}, {"y"});
    });
  };
  CHECK(prove(product("x", "k"), product("k", "x")).outcome == Outcome::Equivalent);
}

TEST_CASE("Outputs are matched in order by name, by position only where that is asked for") {
  const auto file = [](const std::string& first, const std::string& second) {
    OnnxBuilder b;
    b.input("x", {2, 3});
    b.output(first, {2, 3});
    b.output(second, {2, 3});
    b.node("Relu", {"x"}, {first});
    b.node("Sigmoid", {"x"}, {second});
    return b;
  };
  FileProofOptions by_position;
  by_position.outputs = OutputMatch::ByPosition;
  CHECK(prove(file("p", "q"), file("p", "q")).outcome == Outcome::Equivalent);
  CHECK(prove(file("p", "q"), file("q", "p")).outcome == Outcome::ShapeMismatch);
  CHECK(prove(file("p", "q"), file("q", "p"), by_position).outcome == Outcome::Equivalent);
}

TEST_CASE("A declared shape that lies is told of and believed nowhere") {
  const auto declared = [](std::int64_t columns, const std::string& op) {
    return of_x([&](OnnxBuilder& b) {
      b.node(op, {"x"}, {"t"});
      b.value_info("t", {2, columns});
      b.node("Relu", {"t"}, {"y"});
    });
  };
  // Hardmax has no meaning here, and a shape by the standard's rules.
  for (const char* op : {"Sigmoid", "Hardmax"}) {
    const auto lie = read(declared(4, op));
    REQUIRE(lie);
    REQUIRE(lie->stale.size() == 1);
    CHECK(lie->stale[0].starts_with("value 't': declared with extents [2,4]"));
    CHECK(lie->outputs[0].type.shape == Shape{2, 3});
    CHECK(prove(declared(3, op), declared(4, op)).outcome == Outcome::Equivalent);
  }
}

TEST_CASE("Rounding is looked at behind operators that have no meaning here") {
  // (1e8 e + q) - 1e8 e against q: e is read from a table by computed indices.
  const auto file = [](bool cancels) {
    OnnxBuilder b;
    b.input("ids", {4}, 7);
    b.input("q", {4, 2});
    b.floats("table", {3, 2}, {1, 2, 3, 4, 5, 6});
    b.floats("large", {}, {1e8F});
    b.node("Gather", {"table", "ids"}, {"e"});
    b.node("Mul", {"e", "large"}, {"l"});
    if (cancels) {
      b.node("Add", {"l", "q"}, {"s"});
      b.node("Sub", {"s", "l"}, {"y"});
    } else {
      b.node("Sub", {"l", "l"}, {"s"});
      b.node("Add", {"s", "q"}, {"y"});
    }
    b.output("y", {4, 2});
    return b;
  };
  CHECK(prove(file(false), file(false)).outcome == Outcome::Equivalent);
  CHECK(prove(file(true), file(false)).outcome == Outcome::Equivalent);
  CHECK(prove(file(false), file(true)).outcome == Outcome::Unknown);
}

TEST_CASE("The sizes of open dimensions are part of the verdict") {
  const auto file = [](const std::string& name) {
    return of_x([&](OnnxBuilder& b) {
      for (auto* value : {b.graph().mutable_input(0), b.graph().mutable_output(0)}) {
        auto& shape = *value->mutable_type()->mutable_tensor_type()->mutable_shape();
        shape.mutable_dim(0)->set_dim_param("n");
      }
      b.node("Relu", {"x"}, {"y"}).set_name(name);
    });
  };
  const FileVerdict v = prove(file("r"), file("s"), {}, {.dimensions = {{"n", 5}}});
  CHECK(v.outcome == Outcome::Equivalent);
  CHECK(v.proved_at == std::map<std::string, Dim>{{"n", 5}});
  CHECK_FALSE(v.all_sizes);
  // A file is equal to itself at whatever sizes.
  CHECK(prove(file("r"), file("r"), {}, {.dimensions = {{"n", 5}}}).all_sizes);
  const auto closed = of_x([](OnnxBuilder& b) { b.node("Relu", {"x"}, {"y"}); });
  CHECK(prove(closed, closed).all_sizes);
}

TEST_CASE("Split counts the pieces that nobody names") {
  const auto sum_of_first = [](const std::vector<std::string>& pieces) {
    return of_x([&](OnnxBuilder& b) {
      auto& node = b.node("Split", {"x"}, pieces);
      OnnxBuilder::attribute(node, "axis", ::onnx::AttributeProto::INT).set_i(1);
      b.node("ReduceSum", {"a"}, {"s"});
      b.node("Add", {"x", "s"}, {"y"});
    });
  };
  const auto all = of_x([](OnnxBuilder& b) {
    b.node("ReduceSum", {"x"}, {"s"});
    b.node("Add", {"x", "s"}, {"y"});
  });
  CHECK(prove(sum_of_first({"a"}), all).outcome == Outcome::Equivalent);
  CHECK(prove(sum_of_first({"a", "b", "c"}), sum_of_first({"a", "b", ""})).outcome ==
        Outcome::Equivalent);
  CHECK(prove(all, sum_of_first({"a", "", ""})).outcome != Outcome::Equivalent);
}

TEST_CASE("An operator that is not interpreted may tell -0 from 0") {
  const auto opaque_of = [](float zero) {
    return of_x([&](OnnxBuilder& b) {
      b.floats("c", {1}, {zero});
      b.node("Foo", {"x", "c"}, {"y"});
    });
  };
  CHECK(prove(opaque_of(0.0F), opaque_of(-0.0F)).outcome == Outcome::Unknown);
  CHECK(prove(opaque_of(-0.0F), opaque_of(-0.0F)).outcome == Outcome::Equivalent);
}
