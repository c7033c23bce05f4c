#include "verify/bitmap_checker.h"

#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/util/rng.h"

using namespace pet;

namespace {

std::shared_ptr<const Tensor> weights(Shape shape, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> values(static_cast<std::size_t>(count(shape)));
  for (float& x : values) x = static_cast<float>(rng.normal());
  return std::make_shared<const Tensor>(Tensor::of_floats(std::move(shape), std::move(values)));
}

const Attrs kPool{{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}};

Graph conv_then_pool(bool exchanged, const Attrs& pool, std::shared_ptr<const Tensor> w, bool relu) {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({1, 8, 8, 8}));
  const NodeId k = b.add_constant(std::move(w));
  const NodeId r = relu ? *b.add(ops::relu(), {}, {x}) : x;
  const NodeId first = exchanged ? *b.add(ops::average_pool(), pool, {r}) : *b.add(ops::conv(), {}, {r, k});
  const NodeId second = exchanged ? *b.add(ops::conv(), {}, {first, k}) : *b.add(ops::average_pool(), pool, {first});
  b.add_output(*b.add(ops::relu(), {}, {second}));
  return std::move(b).build();
}

}  // namespace

TEST_CASE("A pool and a 1x1 convolution may be exchanged") {
  const auto w = weights({4, 8, 1, 1}, 1);
  BitmapChecker checker;
  const Verdict v = checker.check(conv_then_pool(false, kPool, w, true), conv_then_pool(true, kPool, w, true), {});
  CHECK(v.outcome == Outcome::Equivalent);
  CHECK(v.log2_error <= -64);
  CHECK(v.log2_error > -1000);
  CHECK(v.growth == 1);
}

TEST_CASE("Identical programs are equal without any probability") {
  const auto w = weights({4, 8, 1, 1}, 1);
  BitmapChecker checker;
  const Verdict v = checker.check(conv_then_pool(false, kPool, w, true), conv_then_pool(false, kPool, w, true), {});
  CHECK(v.outcome == Outcome::Equivalent);
  CHECK(std::isinf(v.log2_error));
}

TEST_CASE("Another weight is found to differ everywhere") {
  BitmapChecker checker;
  const Verdict v = checker.check(conv_then_pool(false, kPool, weights({4, 8, 1, 1}, 1), false),
                                  conv_then_pool(true, kPool, weights({4, 8, 1, 1}, 2), false), {});
  CHECK(v.outcome != Outcome::Equivalent);
  CHECK(v.outputs[0].equal == 0);
  CHECK(v.outputs[0].witness.has_value());
}

TEST_CASE("A pool that leaves padding out of the divisor differs from one that counts it, at the border") {
  GraphBuilder a;
  GraphBuilder b;
  Attrs pool{{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}};
  a.add_output(*a.add(ops::average_pool(), pool, {a.add_input("x", float_tensor({1, 2, 6, 6}))}));
  pool.set("count_include_pad", std::int64_t{1});
  b.add_output(*b.add(ops::average_pool(), pool, {b.add_input("x", float_tensor({1, 2, 6, 6}))}));
  BitmapChecker checker;
  const Verdict v = checker.check(std::move(a).build(), std::move(b).build(), {});
  CHECK(v.outcome == Outcome::Partial);
  CHECK(v.outputs[0].equal == 2 * 16);
  CHECK(v.outputs[0].different == 2 * 20);
  CHECK(v.outputs[0].wrong.volume() == 40);
  CHECK(v.outputs[0].wrong.boxes.size() <= 4);
}
