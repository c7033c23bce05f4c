// Steps from convolutions, pools, batch norms and matrix products.
#include <algorithm>

#include "tests/fuzz/step.h"

namespace pet::fuzz {
namespace {

bool is_image(const Shape& shape) { return shape.size() == 3 || shape.size() == 4; }

// Weights for `shape` as input with windows of 1 to 3, and pads that leave the extents roughly
// alone.
struct Window {
  Shape weight;
  Ints pads;
  std::vector<float> values;
};

Window random_window(const Shape& shape, Rng& rng) {
  Window out{{rng.between(1, 2), shape[1]}, {}, {}};
  Ints ends;
  for (std::size_t i = 2; i < shape.size(); ++i) {
    const Dim k = rng.between(1, std::min<Dim>(3, shape[i]));
    out.weight.push_back(k);
    out.pads.push_back(rng.between(0, k - 1));
    ends.push_back(rng.between(0, k - 1));
  }
  out.pads.insert(out.pads.end(), ends.begin(), ends.end());
  out.values = random_weights(out.weight, rng);
  return out;
}

NodeId conv(Sketch& s, NodeId x, NodeId w, const Ints& pads) {
  return s.op("Conv", Attrs{{"pads", pads}}, {x, w});
}

NodeId spatially_padded(Sketch& s, NodeId x, const Ints& pads) {
  const std::size_t rank = s.shape(x).size();
  Ints all(2 * rank, 0);
  std::copy_n(pads.begin(), rank - 2, all.begin() + 2);
  std::copy_n(pads.begin() + static_cast<std::ptrdiff_t>(rank - 2), rank - 2,
              all.begin() + static_cast<std::ptrdiff_t>(rank) + 2);
  return s.op("Pad", Attrs{{"pads", all}}, {x});
}

Ints swapped_halves(Ints pads) {
  std::rotate(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2),
              pads.end());
  return pads;
}

void add_wrong_convolutions(Step& step, const Window& window) {
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) {
    return conv(s, x, weights(s, window.weight, window.values), swapped_halves(window.pads));
  });
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) {
    auto values = window.values;
    values.back() += 0.5F;
    return conv(s, x, weights(s, window.weight, values), window.pads);
  });
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) {
    const NodeId w = weights(s, window.weight, window.values);
    return conv(s, x, reversed(s, w, window.weight.size() - 1), window.pads);
  });
}

}  // namespace

Step convolution(const Shape& shape, Rng& rng) {
  Step step{"convolution", {}, {}};
  if (!is_image(shape)) return step;
  const Window window = random_window(shape, rng);
  const auto w = [=](Sketch& s) { return weights(s, window.weight, window.values); };
  const Dim channels = shape[1];
  const Dim cut = channels / 2;
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return conv(s, x, w(s), window.pads); },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("Conv", {spatially_padded(s, x, window.pads), w(s)});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return in_pieces(s, x, 0, shape[0] / 2,
                         [&](NodeId part) { return conv(s, part, w(s), window.pads); });
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        const NodeId sum = conv(s, s.op("Add", {x, y}), w(s), window.pads);
        return s.op("Sub", {sum, conv(s, y, w(s), window.pads)});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId half = s.op("Mul", {x, s.scalar(0.5F)});
        return conv(s, half, s.op("Mul", {w(s), s.scalar(2)}), window.pads);
      },
  };
  if (cut > 0) {
    step.right.push_back([=](Sketch& s, NodeId x, NodeId) {
      const auto part = [&](Dim from, Dim to) {
        return conv(s, s.slice(x, 1, from, to), s.slice(w(s), 1, from, to), window.pads);
      };
      return s.op("Add", {part(0, cut), part(cut, channels)});
    });
    step.wrong.push_back(
        [=](Sketch& s, NodeId x, NodeId) { return conv(s, reversed(s, x, 1), w(s), window.pads); });
  }
  if (window.weight[0] == 2) {
    step.right.push_back([=](Sketch& s, NodeId x, NodeId) {
      const auto filter = [&](Dim f) {
        return conv(s, x, s.slice(w(s), 0, f, f + 1), window.pads);
      };
      return s.concat({filter(0), filter(1)}, 1);
    });
    step.right.push_back([=](Sketch& s, NodeId x, NodeId) {  // both filters as groups
      const NodeId twice = s.concat({x, x}, 1);
      return s.op("Conv", Attrs{{"pads", window.pads}, {"group", std::int64_t{2}}}, {twice, w(s)});
    });
  }
  if (shape.size() == 4) {
    const Ints turned_pads = {window.pads[1], window.pads[0], window.pads[3], window.pads[2]};
    const Ints turn = {0, 1, 3, 2};
    step.right.push_back([=](Sketch& s, NodeId x, NodeId) {
      const NodeId y = conv(s, s.transpose(x, turn), s.transpose(w(s), turn), turned_pads);
      return s.transpose(y, turn);
    });
  }
  add_wrong_convolutions(step, window);
  return step;
}

// The images of a batch side by side: right but for the seam, and right everywhere with a gap of
// zeros.
Step joined_convolution(const Shape& shape, Rng& rng) {
  Step step{"joined convolution", {}, {}};
  if (!is_image(shape) || shape[0] < 2 || shape[2] < 2) return step;
  Window window = random_window(shape, rng);
  std::fill(window.pads.begin(), window.pads.end(), 0);
  window.weight[2] = 3;
  window.pads[0] = window.pads[shape.size() - 2] = 1;
  window.values = random_weights(window.weight, rng);
  const auto joined = [=](Sketch& s, NodeId x, Dim gap) {
    Shape order = {1, 0, 2};
    if (shape.size() == 4) order.push_back(3);
    NodeId y = s.transpose(pad(s, x, 2, 0, gap), order);
    Shape one = {1, shape[1], shape[0] * (shape[2] + gap)};
    if (shape.size() == 4) one.push_back(shape[3]);
    y = conv(s, s.reshape(y, one), weights(s, window.weight, window.values), window.pads);
    Shape back = {s.shape(y)[1], shape[0], shape[2] + gap};
    if (shape.size() == 4) back.push_back(s.shape(y)[3]);
    return s.slice(s.transpose(s.reshape(y, back), order), 2, 0, shape[2]);
  };
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) {
        return conv(s, x, weights(s, window.weight, window.values), window.pads);
      },
      [=](Sketch& s, NodeId x, NodeId) { return joined(s, x, 1); },
      [=](Sketch& s, NodeId x, NodeId) { return joined(s, x, 2); },
  };
  step.wrong = {[=](Sketch& s, NodeId x, NodeId) { return joined(s, x, 0); }};
  return step;
}

// A convolution by single elements and a mean over windows, in either order.
Step pooled_convolution(const Shape& shape, Rng& rng) {
  Step step{"pool and 1x1 convolution", {}, {}};
  if (!is_image(shape) || shape[2] < 2) return step;
  Shape weight = {rng.between(1, 2), shape[1], 1};
  if (shape.size() == 4) weight.push_back(1);
  const auto values = random_weights(weight, rng);
  const auto attrs = [=](Dim kernel, Dim step_by) {
    Ints kernels = {kernel};
    Ints strides = {step_by};
    if (shape.size() == 4) {
      kernels.push_back(1);
      strides.push_back(1);
    }
    return Attrs{{"kernel_shape", kernels}, {"strides", strides}};
  };
  const Dim stride = rng.between(1, 2);
  const auto w = [=](Sketch& s) { return weights(s, weight, values); };
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("AveragePool", attrs(2, stride), {s.op("Conv", {x, w(s)})});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("Conv", {s.op("AveragePool", attrs(2, stride), {x}), w(s)});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId half = s.op("Mul", {w(s), s.scalar(0.5F)});
        const NodeId both = s.concat({half, half}, 2);
        Ints strides(shape.size() - 2, 1);
        strides[0] = stride;
        return s.op("Conv", Attrs{{"strides", strides}}, {x, both});
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId y = s.op("Conv", {s.op("AveragePool", attrs(2, stride), {x}), w(s)});
        return s.op("Mul", {y, s.scalar(4)});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const Shape to = s.shape(s.op("AveragePool", attrs(2, stride), {x}));
        return s.slice(s.op("Conv", {s.op("AveragePool", attrs(1, 1), {x}), w(s)}), 2, 0, to[2]);
      },
  };
  return step;
}

Step average_pool(const Shape& shape, Rng& rng) {
  Step step{"average pool", {}, {}};
  if (!is_image(shape)) return step;
  Ints kernel;
  for (std::size_t i = 2; i < shape.size(); ++i) kernel.push_back(std::min<Dim>(3, shape[i]));
  Ints pads;  // no window lies in them alone
  for (std::size_t i = 0; i < 2 * kernel.size(); ++i)
    pads.push_back(kernel[i % kernel.size()] > 1 ? 1 : 0);
  const std::int64_t counted = static_cast<std::int64_t>(rng.below(2));
  const auto pool = [=](Sketch& s, NodeId x, std::int64_t count_pads) {
    return s.op("AveragePool",
                Attrs{{"kernel_shape", kernel}, {"pads", pads}, {"count_include_pad", count_pads}},
                {x});
  };
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return pool(s, x, counted); },
      [=](Sketch& s, NodeId x, NodeId) {
        return in_pieces(s, x, 1, shape[1] / 2,
                         [&](NodeId part) { return pool(s, part, counted); });
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        return s.op("Sub", {pool(s, s.op("Add", {y, x}), counted), pool(s, y, counted)});
      },
  };
  const auto explicitly = [=](Sketch& s, NodeId x, NodeId) {
    return s.op("AveragePool", Attrs{{"kernel_shape", kernel}}, {spatially_padded(s, x, pads)});
  };
  (counted == 1 ? step.right : step.wrong).push_back(explicitly);
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) { return pool(s, x, 1 - counted); });
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) {
    return s.op("Mul", {pool(s, x, counted), s.scalar(9)});
  });
  return step;
}

Step batch_norm(const Shape& shape, Rng& rng) {
  constexpr double kEpsilon = 0.0009765625;  // a float, as files hold it
  Step step{"batch norm", {}, {}};
  if (shape.size() < 2) return step;
  const Shape channels = {shape[1]};
  std::vector<std::vector<float>> stored(4);
  for (auto& values : stored) values = random_weights(channels, rng);
  for (float& v : stored[3]) v = std::abs(v) + 0.5F;
  Shape column = {shape[1]};
  column.resize(shape.size() - 1, 1);
  const auto norm = [=](Sketch& s, NodeId x, double epsilon) {
    return s.op("BatchNormalization", Attrs{{"epsilon", epsilon}},
                {x, weights(s, channels, stored[0]), weights(s, channels, stored[1]),
                 weights(s, channels, stored[2]), weights(s, channels, stored[3])});
  };
  const auto split = [=](Sketch& s, NodeId x, std::size_t scale, std::size_t bias) {
    const auto filled = [&](float v) {
      return s.op("Expand", Attrs{{"shape", channels}}, {s.scalar(v)});
    };
    const NodeId y = s.op("BatchNormalization", Attrs{{"epsilon", kEpsilon}},
                          {x, filled(1), filled(0), weights(s, channels, stored[2]),
                           weights(s, channels, stored[3])});
    const auto in_column = [&](std::size_t i) {
      return s.reshape(weights(s, channels, stored[i]), column);
    };
    return s.op("Add", {s.op("Mul", {y, in_column(scale)}), in_column(bias)});
  };
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return norm(s, x, kEpsilon); },
      [=](Sketch& s, NodeId x, NodeId) { return split(s, x, 0, 1); },
      [=](Sketch& s, NodeId x, NodeId) {
        return in_pieces(s, x, 0, shape[0] / 2,
                         [&](NodeId part) { return norm(s, part, kEpsilon); });
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId flat =
            s.reshape(x, {shape[0], shape[1], count(shape) / (shape[0] * shape[1])});
        return s.reshape(norm(s, flat, kEpsilon), shape);
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return norm(s, x, 2 * kEpsilon); },
      [=](Sketch& s, NodeId x, NodeId) { return split(s, x, 1, 0); },
      [=](Sketch& s, NodeId x, NodeId) { return split(s, x, 0, 2); },
  };
  return step;
}

Step matrix_product(const Shape& shape, Rng& rng) {
  Step step{"matrix product", {}, {}};
  const Shape matrix = {count(shape) / shape.back(), shape.back()};
  const Shape weight = {matrix[1], rng.between(1, 4)};
  const auto values = random_weights(weight, rng);
  const auto w = [=](Sketch& s) { return weights(s, weight, values); };
  const Dim cut = matrix[1] / 2;
  const auto rows = [=](Sketch& s, NodeId x) { return shape == matrix ? x : s.reshape(x, matrix); };
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("MatMul", {rows(s, x), w(s)});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("Gemm", {rows(s, x), w(s)});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.transpose(
            s.op("MatMul", {s.transpose(w(s), {1, 0}), s.transpose(rows(s, x), {1, 0})}), {1, 0});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const auto part = [&](Dim from, Dim to) {
          return s.op("MatMul", {s.slice(rows(s, x), 1, from, to), s.slice(w(s), 0, from, to)});
        };
        // A product over nothing has no meaning.
        if (cut == 0) return part(0, matrix[1]);
        return s.op("Add", {part(0, cut), part(cut, matrix[1])});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId image = s.reshape(x, {matrix[0], matrix[1], 1});
        const NodeId filters = s.reshape(s.transpose(w(s), {1, 0}), {weight[1], weight[0], 1});
        return s.reshape(s.op("Conv", {image, filters}), {matrix[0], weight[1]});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId all = s.op("Mul", {s.reshape(x, {matrix[0], matrix[1], 1}), w(s)});
        return s.op("ReduceSum", Attrs{{"axes", Ints{1}}, {"keepdims", std::int64_t{0}}}, {all});
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("MatMul", {reversed(s, rows(s, x), 1), w(s)});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("MatMul", {rows(s, x), s.reshape(s.transpose(w(s), {1, 0}), weight)});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId sum = s.op("ReduceSum", Attrs{{"axes", Ints{1}}}, {rows(s, x)});
        return s.op("Mul", {sum, s.slice(w(s), 0, 0, 1)});
      },
  };
  return step;
}

}  // namespace pet::fuzz
