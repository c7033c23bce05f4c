// Steps in which an input meets weights: y is a value computed from weights alone.
#include "tests/fuzz/weight_steps.h"

#include <cmath>

namespace pet::fuzz {
namespace {

NodeId divided(Sketch& s, NodeId a, float divisor) { return s.op("Div", {a, s.scalar(divisor)}); }

NodeId doubled(Sketch& s, NodeId x, int exponent) {  // x · 2^exponent, by factors that are floats
  for (; exponent > 100; exponent -= 100) x = times(s, x, 0x1p100F);
  for (; exponent < -100; exponent += 100) x = times(s, x, 0x1p-100F);
  return times(s, x, std::ldexp(1.0F, exponent));
}

NodeId ones(Sketch& s, const Shape& shape) {
  return s.op("Expand", Attrs{{"shape", Ints(shape)}}, {s.scalar(1)});
}

}  // namespace

Step scaled_by(const Shape& shape, Rng& rng) {
  const Turn turn = random_turn(shape, rng);
  const auto axis = any_axis(shape, rng);
  return {
      "scaled by",
      {mul, [](Sketch& s, NodeId x, NodeId y) { return mul(s, y, x); },
       [=](Sketch& s, NodeId x, NodeId y) {
         return turn.back(s, mul(s, turn.there(s, x), turn.there(s, y)));
       },
       [](Sketch& s, NodeId x, NodeId y) { return times(s, mul(s, x, times(s, y, 8)), 0.125F); },
       [](Sketch& s, NodeId x, NodeId y) { return sub(s, mul(s, x, add(s, y, y)), mul(s, y, x)); }},
      {[](Sketch& s, NodeId x, NodeId y) { return mul(s, x, times(s, y, 1.0000001F)); },
       [=](Sketch& s, NodeId x, NodeId y) { return mul(s, x, reversed(s, y, axis)); },
       [](Sketch& s, NodeId x, NodeId y) { return mul(s, x, mul(s, y, y)); }}};
}

Step shifted_by(const Shape& shape, Rng& rng) {
  const Turn turn = random_turn(shape, rng);
  return {"shifted by",
          {add, [](Sketch& s, NodeId x, NodeId y) { return sub(s, x, times(s, y, -1)); },
           [=](Sketch& s, NodeId x, NodeId y) {
             return turn.back(s, add(s, turn.there(s, x), turn.there(s, y)));
           },
           [](Sketch& s, NodeId x, NodeId y) {
             return times(s, add(s, times(s, y, 0.5F), times(s, x, 0.5F)), 2);
           }},
          {sub, [](Sketch& s, NodeId x, NodeId y) { return add(s, x, times(s, y, 1.0000001F)); }}};
}

Step contracted(const Shape& shape, Rng& rng) {
  const Dim elements = count(shape);
  Dim inner = rng.between(1, 3);
  while (elements % inner != 0) --inner;
  const Shape flat = {inner, elements / inner};
  const Shape turned = {elements / inner, inner};
  const auto weight = [=](Sketch& s, NodeId y) { return s.reshape(y, flat); };
  const auto data = [=](Sketch& s, NodeId x) { return s.reshape(x, turned); };
  return {"contracted",
          {[=](Sketch& s, NodeId x, NodeId y) {
             return s.op("MatMul", {data(s, x), weight(s, y)});
           },
           [=](Sketch& s, NodeId x, NodeId y) {
             const NodeId left = s.transpose(weight(s, y), {1, 0});
             return s.transpose(s.op("MatMul", {left, s.transpose(data(s, x), {1, 0})}), {1, 0});
           },
           [=](Sketch& s, NodeId x, NodeId y) {
             const NodeId whole = weight(s, y);
             return in_pieces(s, data(s, x), 0, turned[0] / 2, [&](NodeId part) {
               return s.op("MatMul", {part, whole});
             });
           },
           [=](Sketch& s, NodeId x, NodeId y) {
             const NodeId filters =
                 s.reshape(s.transpose(weight(s, y), {1, 0}), {turned[0], turned[1], 1});
             const NodeId image = s.reshape(s.transpose(data(s, x), {1, 0}), {1, flat[0], flat[1]});
             const NodeId out = s.op("Conv", {image, filters});
             return s.transpose(s.reshape(out, {flat[1], flat[1]}), {1, 0});
           }},
          {[=](Sketch& s, NodeId x, NodeId y) {
             return s.op("MatMul", {data(s, x), reversed(s, weight(s, y), 1)});
           },
           [=](Sketch& s, NodeId x, NodeId y) {
             return s.op("MatMul", {data(s, x), divided(s, times(s, weight(s, y), 3), 3.0000002F)});
           }}};
}

Step divided_by_number(const Shape& shape, Rng& rng) {
  constexpr float kDivisors[] = {3, 7, 10, 4, 0.3F};
  const float d = kDivisors[rng.below(5)];
  const Turn turn = random_turn(shape, rng);
  return {
      "divided",
      {[=](Sketch& s, NodeId x, NodeId) { return divided(s, x, d); },
       [=](Sketch& s, NodeId x, NodeId) { return turn.back(s, divided(s, turn.there(s, x), d)); },
       [=](Sketch& s, NodeId x, NodeId) {
         return sub(s, divided(s, add(s, x, x), d), divided(s, x, d));
       }},
      {[=](Sketch& s, NodeId x, NodeId) { return times(s, x, 1 / d); },
       [=](Sketch& s, NodeId x, NodeId) { return divided(s, x, std::nextafterf(d, INFINITY)); }}};
}

// Factors that contain no weight at all: only floats may be folded to one.
Step weightless(const Shape& shape, Rng& rng) {
  constexpr float kDivisors[] = {3, 7, 10, 4, 8};
  const float d = kDivisors[rng.below(5)];
  return {"weightless factor",
          {[=](Sketch& s, NodeId x, NodeId) { return divided(s, x, d); },
           [=](Sketch& s, NodeId x, NodeId) { return mul(s, x, divided(s, ones(s, shape), d)); },
           [=](Sketch& s, NodeId x, NodeId y) {
             return mul(s, x, divided(s, add(s, sub(s, y, y), s.scalar(1)), d));
           },
           [=](Sketch& s, NodeId x, NodeId y) {
             const NodeId nothing = times(s, sub(s, mul(s, y, y), mul(s, y, y)), 5);
             return mul(s, x, add(s, nothing, divided(s, ones(s, shape), d)));
           }},
          {[=](Sketch& s, NodeId x, NodeId) { return times(s, x, 1 / d); }}};
}

// Equal over the reals, whatever floats make of it.
Step hidden(const Shape&, Rng& rng) {
  const int small = static_cast<int>(rng.between(1, 24));
  const int large = static_cast<int>(rng.between(25, 120));
  const float huge = std::ldexp(1.0F, rng.below(2) == 0 ? small : large);
  const int up = static_cast<int>(rng.between(20, 220)) * (rng.below(2) == 0 ? 1 : -1);
  return {
      "hidden behind something huge",
      {mul,
       [=](Sketch& s, NodeId x, NodeId y) {
         return sub(s, mul(s, x, add(s, y, s.scalar(huge))), times(s, x, huge));
       },
       [=](Sketch& s, NodeId x, NodeId y) {
         const NodeId sum = add(s, mul(s, x, sub(s, y, s.scalar(huge))), mul(s, x, y));
         return sub(s, add(s, sum, times(s, x, huge)), mul(s, x, y));
       },
       [=](Sketch& s, NodeId x, NodeId y) { return doubled(s, mul(s, x, doubled(s, y, up)), -up); },
       [=](Sketch& s, NodeId x, NodeId y) { return mul(s, x, doubled(s, doubled(s, y, up), -up)); },
       [=](Sketch& s, NodeId x, NodeId y) {
         return mul(s, doubled(s, x, up), doubled(s, y, -up));
       }},
      {[=](Sketch& s, NodeId x, NodeId y) {
        return mul(s, x, sub(s, add(s, y, s.scalar(huge)), s.scalar(huge * 1.0000001F)));
      }}};
}

}  // namespace pet::fuzz
