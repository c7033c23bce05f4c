// Steps from the laws of addition and multiplication.
#include "tests/fuzz/step.h"

namespace pet::fuzz {
namespace {

Ints kept(const Shape& shape, std::size_t axis) {
  Ints out;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != axis) out.push_back(static_cast<Dim>(i));
  }
  return out;
}

}  // namespace

Step sums(const Shape&, Rng& rng) {
  if (rng.below(2) == 0) {
    return {"difference",
            {[](Sketch& s, NodeId x, NodeId y) { return sub(s, x, y); },
             [](Sketch& s, NodeId x, NodeId y) { return add(s, x, times(s, y, -1)); },
             [](Sketch& s, NodeId x, NodeId y) {
               return s.op("Sum", {s.op("Neg", {y}), x});
             },
             [](Sketch& s, NodeId x, NodeId y) { return s.op("Neg", {sub(s, y, x)}); },
             [](Sketch& s, NodeId x, NodeId y) { return add(s, times(s, y, -1), x); },
             [](Sketch& s, NodeId x, NodeId y) { return times(s, sub(s, y, x), -1); },
             [](Sketch& s, NodeId x, NodeId y) { return sub(s, add(s, x, x), add(s, x, y)); }},
            {[](Sketch& s, NodeId x, NodeId y) { return sub(s, y, x); },
             [](Sketch& s, NodeId x, NodeId y) { return add(s, x, y); },
             [](Sketch& s, NodeId x, NodeId y) { return sub(s, x, times(s, y, 2)); }}};
  }
  return {"sum",
          {[](Sketch& s, NodeId x, NodeId y) { return add(s, x, y); },
           [](Sketch& s, NodeId x, NodeId y) { return add(s, y, x); },
           [](Sketch& s, NodeId x, NodeId y) { return sub(s, x, times(s, y, -1)); },
           [](Sketch& s, NodeId x, NodeId y) { return sub(s, x, s.op("Neg", {y})); },
           [](Sketch& s, NodeId x, NodeId y) {
             return s.op("Sum", {y, s.op("Neg", {y}), x, y});
           },
           [](Sketch& s, NodeId x, NodeId y) { return add(s, sub(s, x, y), add(s, y, y)); },
           [](Sketch& s, NodeId x, NodeId y) {
             return add(s, times(s, add(s, x, y), 0.75F), times(s, add(s, y, x), 0.25F));
           }},
          {[](Sketch& s, NodeId x, NodeId y) { return add(s, x, times(s, y, 1.0000001F)); },
           [](Sketch& s, NodeId x, NodeId y) { return add(s, x, add(s, y, y)); },
           [](Sketch& s, NodeId x, NodeId) { return add(s, x, x); }}};
}

Step products(const Shape&, Rng& rng) {
  if (rng.below(2) == 0) {
    return {"difference of squares",
            {[](Sketch& s, NodeId x, NodeId y) { return mul(s, add(s, x, y), sub(s, x, y)); },
             [](Sketch& s, NodeId x, NodeId y) { return sub(s, mul(s, x, x), mul(s, y, y)); },
             [](Sketch& s, NodeId x, NodeId y) {
               return sub(s, mul(s, x, sub(s, x, y)), mul(s, sub(s, y, x), y));
             }},
            {[](Sketch& s, NodeId x, NodeId y) { return add(s, mul(s, x, x), mul(s, y, y)); },
             [](Sketch& s, NodeId x, NodeId y) { return mul(s, sub(s, x, y), sub(s, x, y)); },
             [](Sketch& s, NodeId x, NodeId y) { return mul(s, add(s, x, y), sub(s, y, x)); }}};
  }
  return {
      "product",
      {[](Sketch& s, NodeId x, NodeId y) { return mul(s, x, y); },
       [](Sketch& s, NodeId x, NodeId y) { return mul(s, y, x); },
       [](Sketch& s, NodeId x, NodeId y) { return sub(s, mul(s, add(s, x, y), y), mul(s, y, y)); },
       [](Sketch& s, NodeId x, NodeId y) {
         return times(s, mul(s, times(s, x, 4), times(s, y, 0.5F)), 0.5F);
       }},
      {[](Sketch& s, NodeId x, NodeId) { return mul(s, x, x); },
       [](Sketch& s, NodeId x, NodeId y) { return mul(s, x, add(s, y, y)); },
       [](Sketch& s, NodeId x, NodeId y) { return add(s, x, y); }}};
}

Step scaled(const Shape&, Rng& rng) {
  const float factor = static_cast<float>(rng.between(1, 3)) * 0.25F;
  return {
      "scale",
      {[=](Sketch& s, NodeId x, NodeId) { return times(s, x, factor); },
       [=](Sketch& s, NodeId x, NodeId) { return times(s, times(s, x, 8), factor / 8); },
       [=](Sketch& s, NodeId x, NodeId) {
         return add(s, times(s, x, factor / 2), times(s, x, factor / 2));
       },
       [=](Sketch& s, NodeId x, NodeId) {
         return s.op("Div", {times(s, x, factor * 3), s.scalar(3)});
       },
       [=](Sketch& s, NodeId x, NodeId) { return sub(s, times(s, x, factor + 1), x); }},
      {[=](Sketch& s, NodeId x, NodeId) { return times(s, x, factor * 2147483648.0F); },
       [=](Sketch& s, NodeId x, NodeId) {
         NodeId y = times(s, x, factor);
         for (int i = 0; i < 31; ++i) y = add(s, y, y);
         return y;
       },
       [=](Sketch& s, NodeId x, NodeId) { return times(s, times(s, x, factor * 3), 1.0F / 3.0F); },
       [=](Sketch& s, NodeId x, NodeId) {
         return s.op("Div", {x, s.scalar(factor)});
       },
       [=](Sketch& s, NodeId x, NodeId) { return times(s, x, -factor); }}};
}

Step reduced(const Shape& shape, Rng& rng) {
  Step step{"reduce", {}, {}};
  if (shape.size() < 2) return step;
  const auto axis = any_axis(shape, rng);
  const Dim extent = shape[axis];
  const Dim cut = extent / 2;
  const auto sum = [](Sketch& s, NodeId x, Ints axes) {
    return s.op("ReduceSum", Attrs{{"axes", std::move(axes)}, {"keepdims", std::int64_t{0}}}, {x});
  };
  const Ints one = {static_cast<Dim>(axis)};
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return sum(s, x, one); },
      [=](Sketch& s, NodeId x, NodeId) {
        return add(s, sum(s, s.slice(x, axis, 0, cut), one),
                   sum(s, s.slice(x, axis, cut, extent), one));
      },
      [=](Sketch& s, NodeId x, NodeId) { return sum(s, reversed(s, x, axis), one); },
      [=](Sketch& s, NodeId x, NodeId) {
        Ints perm = one;
        for (const Dim k : kept(shape, axis)) perm.push_back(k);
        return sum(s, s.transpose(x, perm), {0});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const Attrs mean{{"axes", one}, {"keepdims", std::int64_t{0}}};
        return times(s, s.op("ReduceMean", mean, {x}), static_cast<float>(extent));
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("ReduceMean", Attrs{{"axes", one}, {"keepdims", std::int64_t{0}}}, {x});
      },
      [=](Sketch& s, NodeId x, NodeId) { return sum(s, s.slice(x, axis, 0, extent - 1), one); },
  };
  for (std::size_t other = 0; other < shape.size(); ++other) {
    if (other == axis || shape[other] != extent) continue;
    Shape rest;
    for (const Dim k : kept(shape, axis)) rest.push_back(shape[static_cast<std::size_t>(k)]);
    step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) {
      return s.reshape(sum(s, x, {static_cast<Dim>(other)}), rest);
    });
  }
  return step;
}

Step quotient(const Shape& shape, Rng& rng) {
  const Turn turn = random_turn(shape, rng);
  return {"quotient",
          {[](Sketch& s, NodeId x, NodeId y) {
             return s.op("Div", {x, y});
           },
           [](Sketch& s, NodeId x, NodeId y) { return mul(s, s.op("Reciprocal", {y}), x); },
           [=](Sketch& s, NodeId x, NodeId y) {
             return mul(s, x, turn.back(s, s.op("Reciprocal", {turn.there(s, y)})));
           },
           [=](Sketch& s, NodeId x, NodeId y) {
             return turn.back(s, s.op("Div", {turn.there(s, x), turn.there(s, y)}));
           },
           [](Sketch& s, NodeId x, NodeId y) {
             return sub(s, s.op("Div", {add(s, x, x), y}), s.op("Div", {x, y}));
           }},
          {[](Sketch& s, NodeId x, NodeId y) {
             return s.op("Div", {y, x});
           },
           [](Sketch& s, NodeId x, NodeId y) {
             return s.op("Div", {x, add(s, y, y)});
           },
           [](Sketch& s, NodeId x, NodeId y) {
             return s.op("Div", {mul(s, x, x), mul(s, y, x)});
           }}};
}

// Adds nothing, but is not defined everywhere.
Step undefined_part(const Shape&, Rng&) {
  const auto nothing = [](Sketch& s, NodeId of, NodeId x) {
    const NodeId inverse = s.op("Reciprocal", {of});
    return add(s, x, sub(s, inverse, inverse));
  };
  return {"undefined part",
          {[](Sketch& s, NodeId x, NodeId) { return s.op("Identity", {x}); },
           [](Sketch& s, NodeId x, NodeId y) { return sub(s, add(s, x, y), y); }},
          {[=](Sketch& s, NodeId x, NodeId) { return nothing(s, sub(s, x, x), x); },
           [=](Sketch& s, NodeId x, NodeId y) { return nothing(s, y, x); }}};
}

}  // namespace pet::fuzz
