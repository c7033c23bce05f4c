// Steps with uninterpreted results: element functions, rows and windows, opaque operators.
#include <array>
#include <cmath>

#include "tests/fuzz/step.h"

namespace pet::fuzz {
namespace {

struct Function {
  std::function<NodeId(Sketch&, NodeId)> right;
  std::function<NodeId(Sketch&, NodeId)> wrong;
};

Function named(const char* right, const char* wrong) {
  return {[=](Sketch& s, NodeId x) { return s.op(right, {x}); },
          [=](Sketch& s, NodeId x) { return s.op(wrong, {x}); }};
}

NodeId clip(Sketch& s, NodeId x, float low, float high) {
  return s.op("Clip", {x, s.scalar(low), s.scalar(high)});
}

Function with_alpha(const char* op, double right, double wrong) {
  const auto of = [op](double alpha) {
    return [=](Sketch& s, NodeId x) { return s.op(op, Attrs{{"alpha", alpha}}, {x}); };
  };
  return {of(right), of(wrong)};
}

Function usual_function(Rng& rng) {
  switch (rng.below(8)) {
    case 0:
      return named("Relu", "Identity");
    case 1:
      return named("Sigmoid", "Tanh");
    case 2:
      return with_alpha("LeakyRelu", 0.25, 0.125);
    case 3:
      return {[](Sketch& s, NodeId x) { return clip(s, x, 0, 6); },
              [](Sketch& s, NodeId x) { return clip(s, x, 0, 0.5F); }};
    case 4:
      return {[](Sketch& s, NodeId x) { return s.op("Gelu", {x}); },
              [](Sketch& s, NodeId x) {
                return s.op("Gelu", Attrs{{"approximate", std::string("tanh")}}, {x});
              }};
    case 5:
      return named("Erf", "Exp");
    case 6:
      return named("Tanh", "Sigmoid");
    default:
      return named("Exp", "Erf");
  }
}

// Of x and some of x.
Function beside(const char* right, const char* wrong, float times) {
  const auto of = [times](const char* op) {
    return [=](Sketch& s, NodeId x) { return s.op(op, {x, s.op("Mul", {x, s.scalar(times)})}); };
  };
  return {of(right), of(wrong)};
}

Function bent_function(Rng& rng) {
  switch (rng.below(8)) {
    case 0:
      return named("Abs", "Neg");
    case 1:
      return named("Softplus", "HardSwish");
    case 2:
      return named("HardSwish", "Softplus");
    case 3:
      return named("HardSigmoid", "Sigmoid");
    case 4:
      return with_alpha("Elu", 0.25, 0.5);
    case 5:
      return beside("Max", "Min", 0.5F);
    case 6:
      return beside("Min", "Max", 0.5F);
    default:
      return beside("PRelu", "Max", 0.25F);
  }
}

// Each is the wrong one for another.
Function rare_function(Rng& rng) {
  static constexpr std::array kNames = {"Sign", "Floor", "Ceil", "Round", "Sin",  "Cos",
                                        "Atan", "Asinh", "Sinh", "Cosh",  "Mish", "Softsign"};
  const auto which = rng.below(kNames.size() + 5);
  if (which < kNames.size()) return named(kNames[which], kNames[(which + 1) % kNames.size()]);
  static constexpr std::array kWithAlpha = {"Swish", "Celu", "Selu", "ThresholdedRelu"};
  if (which - kNames.size() < kWithAlpha.size())
    return with_alpha(kWithAlpha[which - kNames.size()], 0.25, 0.5);
  return {[](Sketch& s, NodeId x) { return s.op("Shrink", {x}); },
          [](Sketch& s, NodeId x) {
            return s.op("Shrink", Attrs{{"bias", 0.25}}, {x});
          }};
}

// Either of them goes wrong.
Function composed(const Function& outer, const Function& inner, Rng& rng) {
  const bool inner_goes_wrong = rng.below(2) == 0;
  return {[=](Sketch& s, NodeId x) { return outer.right(s, inner.right(s, x)); },
          [=](Sketch& s, NodeId x) {
            return inner_goes_wrong ? outer.right(s, inner.wrong(s, x))
                                    : outer.wrong(s, inner.right(s, x));
          }};
}

// There are many: mostly five of them, one after the other.
Function total_function(Rng& rng) {
  const Function inner = usual_function(rng);
  if (rng.below(4) == 0) return inner;
  Function out = composed(bent_function(rng), inner, rng);
  for (int i = 0; i < 3; ++i) out = composed(rare_function(rng), out, rng);
  return out;
}

Function one_partial_function(Rng& rng) {
  const auto power = [](float exponent) {
    return [exponent](Sketch& s, NodeId x) { return s.op("Pow", {x, s.scalar(exponent)}); };
  };
  static constexpr std::array kNames = {"Log",  "Reciprocal", "Sqrt",  "Tan",
                                        "Asin", "Acos",       "Acosh", "Atanh"};
  const auto which = rng.below(kNames.size() + 1);
  if (which == kNames.size()) return {power(3), power(2)};
  return named(kNames[which], kNames[(which + 1) % kNames.size()]);
}

Function partial_function(Rng& rng) {
  const Function inner = one_partial_function(rng);
  return composed(one_partial_function(rng), composed(one_partial_function(rng), inner, rng), rng);
}

// The forms that any function of single elements has.
void add_elementwise(Step& step, const Function& f, const Shape& shape, Rng& rng) {
  const Turn turn = random_turn(shape, rng);
  const auto axis = any_axis(shape, rng);
  const Dim cut = shape[axis] / 2;
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return f.right(s, x); },
      [=](Sketch& s, NodeId x, NodeId) { return turn.back(s, f.right(s, turn.there(s, x))); },
      [=](Sketch& s, NodeId x, NodeId) {
        return in_pieces(s, x, axis, cut, [&](NodeId part) { return f.right(s, part); });
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        return f.right(s, s.op("Sub", {s.op("Add", {y, x}), y}));
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        const NodeId twice = s.concat({x, y}, axis);
        const NodeId first = s.slice(twice, axis, 0, shape[axis]);
        return f.right(s, first);
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return f.wrong(s, x); },
      [=](Sketch& s, NodeId x, NodeId) { return f.right(s, f.right(s, x)); },
      [=](Sketch& s, NodeId x, NodeId) { return f.right(s, reversed(s, x, axis)); },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId part = f.right(s, s.slice(x, axis, 0, shape[axis] - 1));
        return pad(s, part, axis, 0, 1);
      },
  };
}

// Leading axes may be turned about a row along the last one.
NodeId rows_turned(Sketch& s, NodeId x, const std::function<NodeId(NodeId)>& f) {
  const Shape shape = s.shape(x);
  const NodeId flat = s.reshape(x, {count(shape) / shape.back(), shape.back()});
  return s.reshape(reversed(s, f(reversed(s, flat, 0)), 0), shape);
}

}  // namespace

Step pointwise(const Shape& shape, Rng& rng) {
  Step step{"pointwise", {}, {}};
  const Function f = total_function(rng);
  add_elementwise(step, f, shape, rng);
  const auto axis = any_axis(shape, rng);
  step.right.push_back([=](Sketch& s, NodeId x, NodeId) {
    return crop(s, f.right(s, pad(s, x, axis, 1, 2)), axis, 1, shape[axis] + 1);
  });
  return step;
}

Step partial_pointwise(const Shape& shape, Rng& rng) {
  Step step{"partial function", {}, {}};
  const Function f = partial_function(rng);
  add_elementwise(step, f, shape, rng);
  const auto axis = any_axis(shape, rng);
  // Applied to the padding, too.
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) {
    return crop(s, f.right(s, pad(s, x, axis, 1, 0)), axis, 1, shape[axis] + 1);
  });
  return step;
}

Step softmax(const Shape& shape, Rng& rng) {
  Step step{"softmax", {}, {}};
  const auto axis = any_axis(shape, rng);
  const Ints perm = random_permutation(shape.size(), rng);
  const auto along = [](Sketch& s, NodeId x, Dim a) {
    return s.op("Softmax", Attrs{{"axis", a}}, {x});
  };
  const Dim own = static_cast<Dim>(axis);
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return along(s, x, own); },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId y = along(s, s.transpose(x, perm), inverse(perm)[axis]);
        return s.transpose(y, inverse(perm));
      },
  };
  const auto other = any_axis(shape, rng);
  if (other != axis) {
    const Dim cut = shape[other] / 2;
    step.right.push_back([=](Sketch& s, NodeId x, NodeId) {
      return in_pieces(s, x, other, cut, [&](NodeId part) { return along(s, part, own); });
    });
    step.right.push_back([=](Sketch& s, NodeId x, NodeId) {
      return reversed(s, along(s, reversed(s, x, other), own), other);
    });
    step.wrong.push_back(
        [=](Sketch& s, NodeId x, NodeId) { return along(s, x, static_cast<Dim>(other)); });
  }
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) {
    return in_pieces(s, x, axis, shape[axis] / 2, [&](NodeId part) { return along(s, part, own); });
  });
  const Turn turn = random_turn(shape, rng);
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) {  // may mix the rows
    return turn.back(s, along(s, turn.there(s, x), 0));
  });
  return step;
}

Step layer_norm(const Shape& shape, Rng& rng) {
  const Shape row = {shape.back()};
  const auto scale = random_weights(row, rng);
  const auto bias = random_weights(row, rng);
  const auto norm = [=](Sketch& s, NodeId x, double epsilon) {
    return s.op("LayerNormalization", Attrs{{"epsilon", epsilon}},
                {x, weights(s, row, scale), weights(s, row, bias)});
  };
  Step step{"layer norm", {}, {}};
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return norm(s, x, 0.001); },
      [=](Sketch& s, NodeId x, NodeId) {
        return rows_turned(s, x, [&](NodeId rows) { return norm(s, rows, 0.001); });
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId ones = s.op("Expand", Attrs{{"shape", row}}, {s.scalar(1)});
        const NodeId plain = s.op("LayerNormalization", Attrs{{"epsilon", 0.001}}, {x, ones});
        return s.op("Add", {s.op("Mul", {plain, weights(s, row, scale)}), weights(s, row, bias)});
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return norm(s, x, 0.002); },
      [=](Sketch& s, NodeId x, NodeId) { return norm(s, reversed(s, x, shape.size() - 1), 0.001); },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("LayerNormalization", Attrs{{"epsilon", 0.001}, {"axis", std::int64_t{0}}},
                    {x, weights(s, row, scale), weights(s, row, bias)});
      },
  };
  return step;
}

Step max_pool(const Shape& shape, Rng& rng) {
  Step step{"max pool", {}, {}};
  if (shape.size() != 3 && shape.size() != 4) return step;
  Ints kernel;
  Ints pads;
  for (std::size_t i = 2; i < shape.size(); ++i) {
    kernel.push_back(rng.between(1, std::min<Dim>(3, shape[i])));
    pads.push_back(kernel.back() / 2);
  }
  const Ints one_side = pads;
  pads.insert(pads.end(), one_side.begin(), one_side.end());
  const auto pool = [=](Sketch& s, NodeId x) {
    return s.op("MaxPool", Attrs{{"kernel_shape", kernel}, {"pads", pads}}, {x});
  };
  const std::size_t last = shape.size() - 1;
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return pool(s, x); },
      [=](Sketch& s, NodeId x, NodeId) { return reversed(s, pool(s, reversed(s, x, last)), last); },
      [=](Sketch& s, NodeId x, NodeId) {
        return in_pieces(s, x, 1, shape[1] / 2, [&](NodeId part) { return pool(s, part); });
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId y =
            pool(s, s.transpose(x, shape.size() == 4 ? Ints{1, 0, 2, 3} : Ints{1, 0, 2}));
        return s.transpose(y, shape.size() == 4 ? Ints{1, 0, 2, 3} : Ints{1, 0, 2});
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) {  // zeros in place of holes
        Ints all(2 * shape.size(), 0);
        for (std::size_t i = 0; i < one_side.size(); ++i) {
          all[2 + i] = one_side[i];
          all[shape.size() + 2 + i] = one_side[i];
        }
        return s.op("MaxPool", Attrs{{"kernel_shape", kernel}},
                    {s.op("Pad", Attrs{{"pads", all}}, {x})});
      },
      [=](Sketch& s, NodeId x, NodeId) { return pool(s, reversed(s, x, last)); },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("AveragePool", Attrs{{"kernel_shape", kernel}, {"pads", pads}}, {x});
      },
  };
  return step;
}

Step opaque(const Shape& shape, Rng& rng) {
  const TensorType type = float_tensor({rng.between(1, 4)});
  const Turn turn = random_turn(shape, rng);
  return {"opaque",
          {[=](Sketch& s, NodeId x, NodeId y) {
             return s.opaque("F", {x, y}, type);
           },
           [=](Sketch& s, NodeId x, NodeId y) {
             return s.opaque("F", {turn.back(s, turn.there(s, x)), y}, type);
           },
           [=](Sketch& s, NodeId x, NodeId y) {
             return s.opaque("F", {s.op("Sub", {s.op("Add", {x, y}), y}), y}, type);
           }},
          {[=](Sketch& s, NodeId x, NodeId y) {
             return s.opaque("G", {x, y}, type);
           },
           [=](Sketch& s, NodeId x, NodeId y) {
             return s.opaque("F", {y, x}, type);
           },
           [=](Sketch& s, NodeId x, NodeId y) {
             return s.opaque("F", {reversed(s, x, 0), y}, type);
           }}};
}

}  // namespace pet::fuzz
