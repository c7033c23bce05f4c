// Steps that normalise: by channel, by group of channels, by row, by the channels around.
#include "tests/fuzz/step.h"

namespace pet::fuzz {
namespace {

using Normalization = std::function<NodeId(Sketch&, NodeId)>;

// The forms of what treats every image alike and knows no order along the last axis.
void add_image_forms(Step& step, const Normalization& f, const Shape& shape) {
  const std::size_t last = shape.size() - 1;
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return f(s, x); },
      [=](Sketch& s, NodeId x, NodeId) { return reversed(s, f(s, reversed(s, x, last)), last); },
      [=](Sketch& s, NodeId x, NodeId) {
        return in_pieces(s, x, 0, shape[0] / 2, [&](NodeId part) { return f(s, part); });
      },
      [=](Sketch& s, NodeId x, NodeId y) { return f(s, sub(s, add(s, x, y), y)); },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return f(s, reversed(s, x, 1)); },
      [=](Sketch& s, NodeId x, NodeId) { return f(s, reversed(s, x, last)); },
  };
}

Step by_channel(const Shape& shape, Rng& rng) {
  const Shape channels = {shape[1]};
  const auto scale = random_weights(channels, rng);
  const auto bias = random_weights(channels, rng);
  const auto by = [=](const char* op, Attrs attrs) {
    return [=](Sketch& s, NodeId x) {
      return s.op(op, attrs, {x, weights(s, channels, scale), weights(s, channels, bias)});
    };
  };
  const auto of_groups = [by](Dim groups) {
    return by("GroupNormalization", Attrs{{"num_groups", groups}});
  };
  const bool is_single = shape[1] % 2 != 0 || rng.below(2) == 0;
  const Dim groups = is_single ? shape[1] : shape[1] / 2;
  const Normalization instances = by("InstanceNormalization", {});
  Step step{"normalization by channel", {}, {}};
  add_image_forms(step, is_single ? instances : of_groups(groups), shape);
  (is_single ? step.right : step.wrong).push_back([=](Sketch& s, NodeId x, NodeId) {
    return is_single ? of_groups(groups)(s, x) : instances(s, x);
  });
  step.right.push_back([=](Sketch& s, NodeId x, NodeId) {
    const Shape flat = {shape[0], shape[1], count(shape) / (shape[0] * shape[1])};
    return s.reshape(of_groups(groups)(s, s.reshape(x, flat)), shape);
  });
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) { return of_groups(1)(s, x); });
  return step;
}

Step by_channels_around(const Shape& shape, Rng& rng) {
  const auto response = [](double alpha, Dim size) {
    return [=](Sketch& s, NodeId x) {
      return s.op("LRN", Attrs{{"alpha_by_size", alpha}, {"size", size}}, {x});
    };
  };
  const Dim size = 2 * rng.between(0, 2) + 1;
  Step step{"local response", {}, {}};
  add_image_forms(step, response(0.25, size), shape);
  step.right.push_back([=](Sketch& s, NodeId x, NodeId) {
    return reversed(s, response(0.25, size)(s, reversed(s, x, 1)), 1);
  });
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) { return response(0.5, size)(s, x); });
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) { return response(0.25, size + 2)(s, x); });
  return step;
}

Step by_moments(const Shape& shape, Rng& rng) {
  const Ints perm = random_permutation(shape.size(), rng);
  const auto axis = any_axis(shape, rng);
  const auto along = [](Sketch& s, NodeId x, Dim a) {
    return s.op("MeanVarianceNormalization", Attrs{{"axes", Ints{a}}}, {x});
  };
  const Dim own = static_cast<Dim>(axis);
  Step step{"normalization by moments", {}, {}};
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return along(s, x, own); },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.transpose(along(s, s.transpose(x, perm), inverse(perm)[axis]), inverse(perm));
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return reversed(s, along(s, reversed(s, x, axis), own), axis);
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return along(s, reversed(s, x, axis), own); },
      [=](Sketch& s, NodeId x, NodeId) {
        return along(s, x, (own + 1) % static_cast<Dim>(shape.size()));
      },
  };
  return step;
}

Step by_root_mean_square(const Shape& shape, Rng& rng) {
  const Shape row = {shape.back()};
  const auto scale = random_weights(row, rng);
  const std::size_t last = shape.size() - 1;
  const auto norm = [=](Sketch& s, NodeId x, NodeId by, double epsilon) {
    return s.op("RMSNormalization", Attrs{{"epsilon", epsilon}}, {x, by});
  };
  const auto own = [=](Sketch& s) { return weights(s, row, scale); };
  Step step{"normalization by mean square", {}, {}};
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return norm(s, x, own(s), 0.001); },
      [=](Sketch& s, NodeId x, NodeId) { return mul(s, norm(s, x, s.scalar(1), 0.001), own(s)); },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId y = norm(s, reversed(s, x, last), reversed(s, own(s), 0), 0.001);
        return reversed(s, y, last);
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return norm(s, x, own(s), 0.002); },
      [=](Sketch& s, NodeId x, NodeId) { return norm(s, reversed(s, x, last), own(s), 0.001); },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("LayerNormalization", Attrs{{"epsilon", 0.001}}, {x, own(s)});
      },
  };
  return step;
}

}  // namespace

Step normalization(const Shape& shape, Rng& rng) {
  const auto which = rng.below(6);
  if (shape.size() > 2 && which < 2) return by_channel(shape, rng);
  if (shape.size() > 2 && which < 4) return by_channels_around(shape, rng);
  return which % 2 == 0 ? by_moments(shape, rng) : by_root_mean_square(shape, rng);
}

}  // namespace pet::fuzz
