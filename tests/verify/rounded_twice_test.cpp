// Sums that may be far worse in floats than sizes show: what runs with drawn errors however large
// it is. Small programs here, as they are looked at alike.
#include "verify/rounding/rounded_twice.h"

#include <catch2/catch.hpp>
#include <functional>

#include "tests/verify/rounded_otherwise.h"
#include "verify/rounding/conditioning.h"

using namespace pet;
using pet::test::much_of;
using pet::test::rounded_otherwise;
using pet::test::Sketch;

namespace {

// The output; x and z are inputs of two columns.
using Program = std::function<NodeId(Sketch&, NodeId x, NodeId z)>;

Graph graph_of(const Program& program) {
  Sketch s;
  const NodeId x = s.input("x", {5, 2});
  const NodeId z = s.input("z", {5, 2});
  return std::move(s).finish({program(s, x, z)});
}

void join_values(const Graph& original, ValueTable& table, ResidueStore& store,
                 OriginalValues& originals) {
  while (const auto id = table.next_of_mutant()) {
    if (!table.is_new(*id) || table.node(*id).op() == nullptr) continue;
    const auto equal = originals.equal_to(*id);
    REQUIRE(equal);
    if (!equal->empty()) table.join(*id, table.of_original(equal->front()));
  }
  REQUIRE(store.evaluated() > 0);
  REQUIRE(original.outputs().size() == 1);
}

bool strays(const Program& one, const Program& other) {
  const Graph original = graph_of(one);
  const Graph mutant = graph_of(other);
  const PairCode code(original, mutant);
  ValueTable table(original, mutant, ValueTable::Weights::Symbols);
  const Digest secret = Digester("test").finish();
  KeyStream primes(secret, 0);
  const ResidueEvaluator evaluator(draw_primes(primes, 4), secret, 1);
  ResidueStore store(table, code, evaluator, secret, std::size_t{1} << 26, {});
  OriginalValues originals(original, table, store);
  join_values(original, table, store, originals);
  REQUIRE(table.of_original(original.outputs()[0]) == table.of_mutant(mutant.outputs()[0]));
  const auto grown = growth({original, mutant, table, store, evaluator, originals}, 1, {});
  REQUIRE(grown);
  return grown->strays;
}

NodeId transposed_tanh(Sketch& s, NodeId x) {
  return s.transpose(s.op("Tanh", {s.transpose(x, {1, 0})}), {1, 0});
}

NodeId tanh_of(Sketch& s, NodeId x, NodeId) { return s.op("Tanh", {x}); }

NodeId much_of_tanh(Sketch& s, NodeId x, NodeId) {
  return much_of(s, s.op("Tanh", {x}), s.op("Tanh", {rounded_otherwise(s, x)}));
}

}  // namespace

TEST_CASE("One function of two roundings is two things, however they lie") {
  SECTION("alike") { CHECK(strays(tanh_of, much_of_tanh)); }
  SECTION("one of them transposed") {
    CHECK(strays(tanh_of, [](Sketch& s, NodeId x, NodeId) {
      return much_of(s, s.op("Tanh", {x}), transposed_tanh(s, rounded_otherwise(s, x)));
    }));
  }
  SECTION("both in one tensor") {
    CHECK(strays(tanh_of, [](Sketch& s, NodeId x, NodeId) {
      const NodeId both = s.op("Tanh", {s.concat({x, rounded_otherwise(s, x)}, 1)});
      return much_of(s, s.slice(both, 1, 0, 2), s.slice(both, 1, 2, 4));
    }));
  }
  SECTION("pieces that overlap") {
    CHECK(strays(tanh_of, [](Sketch& s, NodeId x, NodeId) {
      const NodeId right = s.op("Tanh", {s.slice(x, 1, 1, 2)});
      const NodeId all = transposed_tanh(s, rounded_otherwise(s, x));
      return s.concat({s.slice(all, 1, 0, 1), much_of(s, right, s.slice(all, 1, 1, 2))}, 1);
    }));
  }
  SECTION("where the original has both") {
    const auto with_both = [](const Program& program) {
      return [=](Sketch& s, NodeId x, NodeId z) {
        return s.concat({s.op("Sigmoid", {transposed_tanh(s, x)}), program(s, x, z)}, 1);
      };
    };
    CHECK(strays(with_both(tanh_of), with_both([](Sketch& s, NodeId x, NodeId) {
                   return much_of(s, s.op("Tanh", {x}),
                                  transposed_tanh(s, rounded_otherwise(s, x)));
                 })));
  }
  SECTION("where the original has it in another layout") {
    CHECK(strays([](Sketch& s, NodeId x, NodeId) { return transposed_tanh(s, x); }, much_of_tanh));
  }
  SECTION("beside what has grown as much") {
    CHECK(strays(
        [](Sketch& s, NodeId x, NodeId) {
          return s.op("Add", {s.op("Tanh", {x}), x});
        },
        [](Sketch& s, NodeId x, NodeId) {
          const NodeId same = rounded_otherwise(s, x);
          return s.op("Add", {much_of(s, s.op("Tanh", {x}), s.op("Tanh", {same})), same});
        }));
  }
  SECTION("in sums no larger than the original's") {
    CHECK(strays(
        [](Sketch& s, NodeId x, NodeId) {
          return s.op("Tanh", {s.op("MatMul", {s.op("Mul", {x, s.scalar(3)}), s.ramp({2, 2})})});
        },
        [](Sketch& s, NodeId x, NodeId) {
          const NodeId matrix = s.ramp({2, 2});
          const NodeId one = s.op("MatMul", {s.op("Mul", {x, s.scalar(3)}), matrix});
          const NodeId other = s.op("Mul", {s.op("MatMul", {x, matrix}), s.scalar(3)});
          return much_of(s, s.op("Tanh", {one}), s.op("Tanh", {other}));
        }));
  }
  SECTION("each read beside the other, layer by layer") {
    const auto layers = [](bool is_twice) {
      return [=](Sketch& s, NodeId x, NodeId z) {
        NodeId u = is_twice ? rounded_otherwise(s, x) : x;
        NodeId v = x;
        for (int layer = 0; layer < 3; ++layer) {
          const auto next = [&](NodeId mine, NodeId other) {
            return s.op("Add", {s.op("Sub", {mine, s.op("Tanh", {other})}), z});
          };
          const NodeId first = next(u, v);
          v = next(v, u);
          u = is_twice ? first : v;
        }
        return u;
      };
    };
    CHECK(strays(layers(false), layers(true)));
  }
  SECTION("through a function of it") {
    CHECK(strays([](Sketch& s, NodeId x, NodeId) { return s.op("Sigmoid", {s.op("Tanh", {x})}); },
                 [](Sketch& s, NodeId x, NodeId) {
                   const NodeId other = s.op("Sigmoid", {s.op("Tanh", {rounded_otherwise(s, x)})});
                   return much_of(s, s.op("Sigmoid", {s.op("Tanh", {x})}), other);
                 }));
  }
}

TEST_CASE("What an operator sums besides a function of its own stays what it is") {
  // Normalised, and once more by twice the scale. What the mutant reads of both is twice the same.
  const auto two = [](const std::function<NodeId(Sketch&, NodeId, NodeId scale)>& normalised,
                      bool is_worse) {
    return [=](Sketch& s, NodeId x, NodeId) {
      const NodeId scale = s.constant({2}, {1, 3});
      const NodeId same = is_worse ? rounded_otherwise(s, x) : x;
      const NodeId once = normalised(s, same, scale);
      const NodeId twice = normalised(s, x, s.op("Mul", {scale, s.scalar(2)}));
      if (!is_worse) return s.concat({once, twice}, 1);
      const NodeId much = s.op("Mul", {once, s.scalar(20001)});
      return s.concat({s.op("Sub", {much, s.op("Mul", {twice, s.scalar(10000)})}), twice}, 1);
    };
  };
  SECTION("of a layer") {
    const auto normalised = [](Sketch& s, NodeId x, NodeId scale) {
      return s.op("LayerNormalization", {x, scale});
    };
    CHECK(strays(two(normalised, false), two(normalised, true)));
  }
  SECTION("of a batch, behind a function: its own one is of constants") {
    const auto normalised = [](Sketch& s, NodeId x, NodeId scale) {
      return s.op("BatchNormalization",
                  {s.op("Tanh", {x}), scale, s.op("Mul", {scale, s.scalar(3)}),
                   s.constant({2}, {0.5F, 0.25F}), s.constant({2}, {2, 3})});
    };
    CHECK(strays(two(normalised, false), two(normalised, true)));
  }
}

TEST_CASE("One rounding is one thing, however often it is read") {
  SECTION("in another layout") {
    CHECK_FALSE(strays(tanh_of, [](Sketch& s, NodeId x, NodeId) {
      return transposed_tanh(s, rounded_otherwise(s, x));
    }));
  }
  SECTION("with itself") {
    CHECK_FALSE(strays(tanh_of, [](Sketch& s, NodeId x, NodeId) {
      const NodeId t = s.op("Tanh", {rounded_otherwise(s, x)});
      return much_of(s, t, t);
    }));
  }
  SECTION("in layers, with what is handed past them") {
    const auto layers = [](bool is_rounded) {
      return [=](Sketch& s, NodeId x, NodeId) {
        NodeId t = x;
        for (int layer = 0; layer < 3; ++layer) {
          const NodeId read = is_rounded ? rounded_otherwise(s, t) : t;
          t = s.op("Relu", {s.op("Add", {s.op("Sigmoid", {read}), t})});
        }
        return t;
      };
    };
    CHECK_FALSE(strays(layers(false), layers(true)));
  }
  SECTION("in two layouts") {
    CHECK_FALSE(strays(tanh_of, [](Sketch& s, NodeId x, NodeId) {
      const NodeId same = rounded_otherwise(s, x);
      return much_of(s, s.op("Tanh", {same}), transposed_tanh(s, same));
    }));
  }
  SECTION("padded and repeated") {
    const auto padded = [](bool is_rounded) {
      return [=](Sketch& s, NodeId x, NodeId) {
        const NodeId same = is_rounded ? rounded_otherwise(s, x) : x;
        const NodeId zeros = s.constant({5, 3}, std::vector<float>(15, 0));
        return s.op("Tanh", {s.concat({zeros, same, same}, 1)});
      };
    };
    CHECK_FALSE(strays(padded(false), padded(true)));
  }
  SECTION("in pieces") {
    CHECK_FALSE(strays(tanh_of, [](Sketch& s, NodeId x, NodeId) {
      const NodeId same = rounded_otherwise(s, x);
      return s.concat(
          {s.op("Tanh", {s.slice(same, 1, 0, 1)}), s.op("Tanh", {s.slice(same, 1, 1, 2)})}, 1);
    }));
  }
}

TEST_CASE("Beside a mask nothing hides what is lost of the rest") {
  const auto program = [](float far, float large, bool is_worse) {
    return [=](Sketch& s, NodeId x, NodeId z) {
      const NodeId mask = s.op("Mul", {s.op("Sub", {s.scalar(1), z}), s.scalar(far)});
      if (!is_worse) return s.op("Softmax", {{"axis", 1}}, {s.op("Add", {x, mask})});
      // Both in the second of two products, so that x itself is nowhere.
      const NodeId matrix = s.constant({2, 2}, {large + 1, large, large, large - 1});
      const NodeId back = s.constant({4, 2}, {1 - large, large, large, -large - 1, 1, 0, 0, 1});
      const NodeId both = s.concat({s.op("MatMul", {x, matrix}), mask}, 1);
      return s.op("Softmax", {{"axis", 1}}, {s.op("MatMul", {both, back})});
    };
  };
  for (const float far : {-500.F, -10000.F, -1e9F, -1e30F}) {
    CAPTURE(far);
    CHECK(strays(program(far, 1000, false), program(far, 1000, true)));
    CHECK_FALSE(strays(program(far, 10, false), program(far, 10, true)));
  }
}
