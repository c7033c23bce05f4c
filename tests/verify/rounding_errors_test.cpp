// What cancels where the original's own terms are as large: equal over the reals, nothing left of
// it in floats. And what is no worse in floats than the original must stay equal.
#include "verify/rounding_errors.h"

#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/weights.h"
#include "verify/bitmap_checker.h"

using namespace pet;

namespace {

const Shape kShape = {4, 64};

// A program of x and z.
template <class Fill>
Graph of_x_and_z(Fill&& fill) {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor(kShape));
  const NodeId z = b.add_input("z", float_tensor(kShape));
  fill(b, x, z);
  return std::move(b).build();
}

NodeId add(GraphBuilder& b, NodeId x, NodeId y) { return *b.add(ops::add(), {}, {x, y}); }
NodeId sub(GraphBuilder& b, NodeId x, NodeId y) { return *b.add(ops::sub(), {}, {x, y}); }
NodeId mul(GraphBuilder& b, NodeId x, NodeId y) { return *b.add(ops::mul(), {}, {x, y}); }
NodeId square(GraphBuilder& b, NodeId x) { return mul(b, x, x); }
NodeId mean(GraphBuilder& b, NodeId x) {
  return *b.add(ops::reduce_mean(), {{"axes", Ints{1}}}, {x});
}
// Of rows; first their mean and then how far from it they are.
NodeId variance(GraphBuilder& b, NodeId x) { return mean(b, square(b, sub(b, x, mean(b, x)))); }

Verdict check(const Graph& original, const Graph& mutant, const char* seed) {
  ProofOptions options;
  options.proof_seed = seed;
  return BitmapChecker().check(original, mutant, options);
}

void is_ill_conditioned(const Graph& original, const Graph& mutant) {
  for (const char* seed : {"1", "2", "3"}) {
    const Verdict verdict = check(original, mutant, seed);
    CHECK(verdict.outcome == Outcome::Unknown);
    CHECK(verdict.reason.starts_with("ill-conditioned: rounding errors"));
  }
}

void is_equivalent(const Graph& original, const Graph& mutant) {
  for (const char* seed : {"1", "2", "3"})
    CHECK(check(original, mutant, seed).outcome == Outcome::Equivalent);
}

}  // namespace

TEST_CASE("A variance is not the difference of two means of squares") {
  const Graph in_two_steps =
      of_x_and_z([](GraphBuilder& b, NodeId x, NodeId) { b.add_output(variance(b, x)); });
  const Graph in_one = of_x_and_z([](GraphBuilder& b, NodeId x, NodeId) {
    b.add_output(sub(b, mean(b, square(b, x)), square(b, mean(b, x))));
  });
  is_ill_conditioned(in_two_steps, in_one);
  is_equivalent(in_one, in_two_steps);
}

TEST_CASE("A squared difference is not to be multiplied out") {
  const Graph factored = of_x_and_z(
      [](GraphBuilder& b, NodeId x, NodeId z) { b.add_output(square(b, sub(b, x, z))); });
  const Graph expanded = of_x_and_z([](GraphBuilder& b, NodeId x, NodeId z) {
    const NodeId twice = mul(b, b.add_scalar(2), mul(b, x, z));
    b.add_output(add(b, sub(b, square(b, x), twice), square(b, z)));
  });
  is_ill_conditioned(factored, expanded);
  is_equivalent(expanded, factored);
}

TEST_CASE("A power that is taken away again takes its argument with it") {
  const Graph input = of_x_and_z([](GraphBuilder& b, NodeId x, NodeId) { b.add_output(x); });
  const Graph there_and_back = of_x_and_z([](GraphBuilder& b, NodeId x, NodeId) {
    const NodeId power = square(b, square(b, square(b, x)));
    b.add_output(sub(b, add(b, x, power), power));
  });
  is_ill_conditioned(input, there_and_back);
}

TEST_CASE("What the original computes beside may not be added and taken away either") {
  const auto with_exponential = [](bool there_and_back) {
    return of_x_and_z([=](GraphBuilder& b, NodeId x, NodeId) {
      const NodeId e = *b.add(ops::exp(), {}, {x});
      b.add_output(there_and_back ? sub(b, add(b, x, e), e) : x);
      b.add_output(e);
    });
  };
  is_ill_conditioned(with_exponential(false), with_exponential(true));
}

TEST_CASE("One bad element among good ones is seen") {
  const auto joined = [](bool expanded) {
    return of_x_and_z([=](GraphBuilder& b, NodeId x, NodeId z) {
      const NodeId factored = square(b, sub(b, x, z));
      const NodeId twice = mul(b, b.add_scalar(2), mul(b, x, z));
      const NodeId other = add(b, sub(b, square(b, x), twice), square(b, z));
      const auto piece = [&](NodeId of, Dim from, Dim to) {
        return *b.add(ops::slice(), {{"starts", Ints{from}}, {"ends", Ints{to}}, {"axes", Ints{1}}},
                      {of});
      };
      const NodeId last = piece(expanded ? other : factored, 63, 64);
      b.add_output(
          *b.add(ops::concat(), {{"axis", std::int64_t{1}}}, {piece(factored, 0, 63), last}));
    });
  };
  is_ill_conditioned(joined(false), joined(true));
}

TEST_CASE("Sums and products in another order are no worse") {
  const auto both = [](auto&& first, auto&& second) {
    is_equivalent(of_x_and_z(first), of_x_and_z(second));
    is_equivalent(of_x_and_z(second), of_x_and_z(first));
  };
  both([](GraphBuilder& b, NodeId x, NodeId z) { b.add_output(mul(b, add(b, x, z), z)); },
       [](GraphBuilder& b, NodeId x, NodeId z) {
         b.add_output(add(b, mul(b, x, z), square(b, z)));
       });
  both([](GraphBuilder& b, NodeId x, NodeId z) { b.add_output(mul(b, mul(b, x, z), z)); },
       [](GraphBuilder& b, NodeId x, NodeId z) { b.add_output(mul(b, x, square(b, z))); });
  const auto transposed = [](GraphBuilder& b, NodeId x) {
    return *b.add(ops::transpose(), {{"perm", Ints{1, 0}}}, {x});
  };
  const auto times = [](GraphBuilder& b, NodeId x, NodeId y) {
    return *b.add(ops::mat_mul(), {}, {x, y});
  };
  both([=](GraphBuilder& b, NodeId x,
           NodeId z) { b.add_output(times(b, times(b, x, transposed(b, z)), x)); },
       [=](GraphBuilder& b, NodeId x, NodeId z) {
         b.add_output(times(b, x, times(b, transposed(b, z), x)));
       });
  // Far from 0 every difference is rounding errors, the original's too.
  both([](GraphBuilder& b, NodeId x,
          NodeId z) { b.add_output(*b.add(ops::relu(), {}, {sub(b, x, z)})); },
       [](GraphBuilder& b, NodeId x, NodeId z) {
         const NodeId minus = mul(b, b.add_scalar(-1), z);
         b.add_output(*b.add(ops::relu(), {}, {add(b, minus, x)}));
       });
}

TEST_CASE("What a normalisation makes of numbers far from 0 is bad enough by itself") {
  const auto scale = test::float_constant({64}, std::vector<float>(64, 1.5F));
  const auto normalized = [&](bool in_another_shape) {
    return of_x_and_z([=](GraphBuilder& b, NodeId x, NodeId z) {
      const auto shaped = [&](NodeId id, const Ints& shape) {
        return in_another_shape ? *b.add(ops::reshape(), {{"shape", shape}}, {id}) : id;
      };
      const NodeId sum = in_another_shape ? add(b, z, x) : add(b, x, z);
      const NodeId rows =
          *b.add(ops::layer_normalization(), {}, {shaped(sum, {2, 2, 64}), b.add_constant(scale)});
      b.add_output(mul(b, shaped(rows, {4, 64}), x));
    });
  };
  is_equivalent(normalized(false), normalized(true));
  is_equivalent(normalized(true), normalized(false));
}
