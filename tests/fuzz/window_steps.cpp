// Steps of convolutions with strides, dilation, groups and the other way round, of resizing, and of
// products by labels. Windows lie along the last axis.
#include <numeric>

#include "tests/fuzz/step.h"

namespace pet::fuzz {
namespace {

struct Filter {
  Shape weight;
  std::vector<float> values;
  Dim width = 1;
};

// `first`, `second`: the extents in front of the window.
Filter random_filter(const Shape& shape, Dim first, Dim second, Dim widest, Rng& rng) {
  Filter out;
  out.width = rng.between(1, widest);
  out.weight.assign(shape.size(), 1);
  out.weight[0] = first;
  out.weight[1] = second;
  out.weight.back() = out.width;
  out.values = random_weights(out.weight, rng);
  return out;
}

Ints along_last(const Shape& shape, Dim value, Dim elsewhere) {
  Ints out(shape.size() - 2, elsewhere);
  out.back() = value;
  return out;
}

// Zeros between the elements of the last axis, `step` - 1 of them; none behind the last.
NodeId spread(Sketch& s, NodeId x, Dim step) {
  const Shape shape = s.shape(x);
  Shape single = shape;
  single.push_back(1);
  Shape out = shape;
  out.back() *= step;
  const NodeId wide = pad(s, s.reshape(x, single), shape.size(), 0, step - 1);
  return s.slice(s.reshape(wide, out), shape.size() - 1, 0, out.back() - step + 1);
}

bool is_image(const Shape& shape) { return shape.size() == 3 || shape.size() == 4; }

}  // namespace

Step spaced_convolution(const Shape& shape, Rng& rng) {
  Step step{"strided and dilated convolution", {}, {}};
  if (!is_image(shape) || shape.back() < 3) return step;
  const Filter f = random_filter(shape, rng.between(1, 2), shape[1], 2, rng);
  const Dim stride = rng.between(1, 3);
  const Dim dilation = rng.between(1, 2);
  const std::size_t last = shape.size() - 1;
  const auto w = [=](Sketch& s) { return weights(s, f.weight, f.values); };
  const auto conv = [=](Sketch& s, NodeId x, NodeId filter, Dim by, Dim apart) {
    return s.op(
        "Conv",
        Attrs{{"strides", along_last(shape, by, 1)}, {"dilations", along_last(shape, apart, 1)}},
        {x, filter});
  };
  const auto every = [=](Sketch& s, NodeId x, Dim first) {
    return s.op("Slice",
                Attrs{{"axes", Ints{static_cast<Dim>(last)}},
                      {"starts", Ints{first}},
                      {"ends", Ints{s.shape(x).back()}},
                      {"steps", Ints{stride}}},
                {x});
  };
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return conv(s, x, w(s), stride, dilation); },
      [=](Sketch& s, NodeId x, NodeId) { return every(s, conv(s, x, w(s), 1, dilation), 0); },
      [=](Sketch& s, NodeId x, NodeId) { return conv(s, x, spread(s, w(s), dilation), stride, 1); },
      [=](Sketch& s, NodeId x, NodeId y) {
        const NodeId both = conv(s, sub(s, x, y), w(s), stride, dilation);
        return add(s, both, conv(s, y, w(s), stride, dilation));
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) {
        return conv(s, x, reversed(s, w(s), last), stride, dilation);
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return conv(s, reversed(s, x, last), w(s), stride, dilation);
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId shifted = s.slice(pad(s, x, last, 1, 0), last, 0, shape.back());
        return conv(s, shifted, w(s), stride, dilation);
      },
  };
  return step;
}

Step grouped_convolution(const Shape& shape, Rng& rng) {
  Step step{"grouped convolution", {}, {}};
  if (!is_image(shape) || shape[1] < 2) return step;
  const Dim groups = shape[1] % 3 == 0 ? 3 : 2;
  if (shape[1] % groups != 0) return step;
  const Dim inside = shape[1] / groups;
  const Filter f =
      random_filter(shape, groups * rng.between(1, 2), inside, std::min<Dim>(2, shape.back()), rng);
  const Dim out = f.weight[0] / groups;
  const auto w = [=](Sketch& s) { return weights(s, f.weight, f.values); };
  const auto grouped = [=](Sketch& s, NodeId x, NodeId filter) {
    return s.op("Conv", Attrs{{"group", groups}}, {x, filter});
  };
  const auto parts = [=](Sketch& s, NodeId x, Dim turned) {
    std::vector<NodeId> pieces;
    for (Dim g = 0; g < groups; ++g) {
      const Dim from = (g + turned) % groups;
      const NodeId part = s.slice(x, 1, from * inside, (from + 1) * inside);
      pieces.push_back(s.op("Conv", {part, s.slice(w(s), 0, g * out, (g + 1) * out)}));
    }
    return s.concat(std::move(pieces), 1);
  };
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return grouped(s, x, w(s)); },
      [=](Sketch& s, NodeId x, NodeId) { return parts(s, x, 0); },
      [=](Sketch& s, NodeId x, NodeId) {  // as one group, with zeros
        std::vector<NodeId> rows;
        for (Dim g = 0; g < groups; ++g) {
          rows.push_back(pad(s, s.slice(w(s), 0, g * out, (g + 1) * out), 1, g * inside,
                             (groups - 1 - g) * inside));
        }
        return s.op("Conv", {x, s.concat(std::move(rows), 0)});
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return parts(s, x, 1); },
      [=](Sketch& s, NodeId x, NodeId) { return grouped(s, reversed(s, x, 1), w(s)); },
      [=](Sketch& s, NodeId x, NodeId) { return grouped(s, x, reversed(s, w(s), 0)); },
  };
  return step;
}

Step transposed_convolution(const Shape& shape, Rng& rng) {
  Step step{"transposed convolution", {}, {}};
  if (!is_image(shape)) return step;
  const Filter f = random_filter(shape, shape[1], rng.between(1, 2), 3, rng);
  const Dim stride = rng.between(1, 2);
  const Dim more = rng.between(0, stride - 1);
  const std::size_t last = shape.size() - 1;
  const auto w = [=](Sketch& s) { return weights(s, f.weight, f.values); };
  const auto transposed = [=](Sketch& s, NodeId x, NodeId filter, Dim behind) {
    return s.op("ConvTranspose",
                Attrs{{"strides", along_last(shape, stride, 1)},
                      {"output_padding", along_last(shape, behind, 0)}},
                {x, filter});
  };
  const auto by_convolution = [=](Sketch& s, NodeId x, bool flipped) {
    const NodeId wide = pad(s, spread(s, x, stride), last, f.width - 1, f.width - 1 + more);
    Ints turn(shape.size());
    std::iota(turn.begin(), turn.end(), 0);
    std::swap(turn[0], turn[1]);
    const NodeId filter = s.transpose(w(s), turn);
    return s.op("Conv", {wide, flipped ? reversed(s, filter, last) : filter});
  };
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return transposed(s, x, w(s), more); },
      [=](Sketch& s, NodeId x, NodeId) { return by_convolution(s, x, true); },
      [=](Sketch& s, NodeId x, NodeId y) {
        return sub(s, transposed(s, add(s, x, y), w(s), more), by_convolution(s, y, true));
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return in_pieces(s, x, 0, shape[0] / 2,
                         [&](NodeId part) { return transposed(s, part, w(s), more); });
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return by_convolution(s, x, false); },
      [=](Sketch& s, NodeId x, NodeId) { return transposed(s, reversed(s, x, last), w(s), more); },
      [=](Sketch& s, NodeId x, NodeId) { return transposed(s, x, reversed(s, w(s), last), more); },
  };
  return step;
}

Step resized(const Shape& shape, Rng& rng) {
  Step step{"resize", {}, {}};
  if (count(shape) > 120) return step;
  const auto axis = any_axis(shape, rng);
  const Dim extent = shape[axis];
  const auto resize = [=](Sketch& s, NodeId x, Dim size, const char* mode, const char* coordinates,
                          const char* nearest) {
    Shape sizes = shape;
    sizes[axis] = size;
    return s.op("Resize",
                Attrs{{"mode", std::string(mode)},
                      {"coordinate_transformation_mode", std::string(coordinates)},
                      {"nearest_mode", std::string(nearest)},
                      {"sizes", sizes}},
                {x});
  };
  const auto gathered = [=](Sketch& s, NodeId x, const Ints& indices) {
    return s.op("Gather",
                Attrs{{"axis", static_cast<Dim>(axis)},
                      {"indices", indices},
                      {"shape", Ints{static_cast<Dim>(indices.size())}}},
                {x});
  };
  if (rng.below(2) == 0 || extent < 2) {
    const Dim scale = rng.between(2, 3);
    Ints each;
    for (Dim i = 0; i < extent * scale; ++i) each.push_back(i / scale);
    step.right = {
        [=](Sketch& s, NodeId x, NodeId) {
          return resize(s, x, extent * scale, "nearest", "asymmetric", "floor");
        },
        [=](Sketch& s, NodeId x, NodeId) { return gathered(s, x, each); },
        [=](Sketch& s, NodeId x, NodeId) {
          Shape with = shape;
          with.insert(with.begin() + static_cast<std::ptrdiff_t>(axis) + 1, 1);
          Shape wide = with;
          wide[axis + 1] = scale;
          Shape out = shape;
          out[axis] *= scale;
          return s.reshape(s.op("Expand", Attrs{{"shape", wide}}, {s.reshape(x, with)}), out);
        },
    };
    step.wrong = {
        [=](Sketch& s, NodeId x, NodeId) {
          return resize(s, x, extent * scale, "nearest", "asymmetric", "ceil");
        },
        [=](Sketch& s, NodeId x, NodeId) {
          return s.concat(std::vector<NodeId>(static_cast<std::size_t>(scale), x), axis);
        },
    };
    return step;
  }
  Ints left;  // between two elements stands their mean
  Ints right;
  for (Dim i = 0; i < 2 * extent - 1; ++i) {
    left.push_back(i / 2);
    right.push_back((i + 1) / 2);
  }
  const auto means = [=](Sketch& s, NodeId x, const Ints& a, const Ints& b) {
    return times(s, add(s, gathered(s, x, a), gathered(s, x, b)), 0.5F);
  };
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) {
        return resize(s, x, 2 * extent - 1, "linear", "align_corners", "floor");
      },
      [=](Sketch& s, NodeId x, NodeId) { return means(s, x, left, right); },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId y =
            resize(s, reversed(s, x, axis), 2 * extent - 1, "linear", "align_corners", "floor");
        return reversed(s, y, axis);
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return means(s, x, left, left); },
      [=](Sketch& s, NodeId x, NodeId) {
        return resize(s, x, 2 * extent - 1, "nearest", "align_corners", "floor");
      },
  };
  return step;
}

Step labelled_product(const Shape& shape, Rng& rng) {
  Step step{"product by labels", {}, {}};
  if (shape.size() < 2 || shape.size() > 4) return step;
  const std::string labels = std::string("abcd").substr(0, shape.size());
  const std::string front = labels.substr(0, labels.size() - 1);
  const Shape weight = {shape.back(), rng.between(1, 3)};
  const auto values = random_weights(weight, rng);
  const auto w = [=](Sketch& s) { return weights(s, weight, values); };
  const auto einsum = [=](Sketch& s, const std::string& equation, std::vector<NodeId> operands) {
    return s.op("Einsum", Attrs{{"equation", equation}}, std::move(operands));
  };
  const std::string last(1, labels.back());
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) {
        return einsum(s, labels + "," + last + "z->" + front + "z", {x, w(s)});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("MatMul", {x, w(s)});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return einsum(s, "..." + last + "," + last + "z->...z", {x, w(s)});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId turned = s.transpose(w(s), {1, 0});
        return einsum(s, "z" + last + "," + labels + "->" + front + "z", {turned, x});
      },
      [=](Sketch& s, NodeId x, NodeId) {  // the result's axes in another order, and back
        const NodeId y = einsum(s, labels + "," + last + "z->z" + front, {x, w(s)});
        Ints back;
        for (std::size_t i = 1; i < shape.size(); ++i) back.push_back(static_cast<Dim>(i));
        back.push_back(0);
        return s.transpose(y, back);
      },
  };
  step.wrong = {[=](Sketch& s, NodeId x, NodeId) {
    return einsum(s, labels + "," + last + "z->" + front + "z",
                  {reversed(s, x, shape.size() - 1), w(s)});
  }};
  if (shape.size() >= 3 && shape[0] == shape[1]) {
    const std::string swapped = std::string{labels[1], labels[0]} + labels.substr(2);
    step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) {
      return einsum(s, swapped + "," + last + "z->" + front + "z", {x, w(s)});
    });
  }
  return step;
}

Step global_mean(const Shape& shape, Rng& rng) {
  Step step{"global mean", {}, {}};
  if (shape.size() < 3) return step;
  Ints axes;
  for (std::size_t a = 2; a < shape.size(); ++a) axes.push_back(static_cast<Dim>(a));
  const Turn turn = random_turn({shape.begin() + 2, shape.end()}, rng);
  Shape image = {shape[0], shape[1]};
  image.push_back(count(shape) / (shape[0] * shape[1]));
  const auto area = static_cast<float>(image[2]);
  const auto mean = [=](Sketch& s, NodeId x, const Ints& over) {
    return s.op("ReduceMean", Attrs{{"axes", over}}, {x});
  };
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return s.op("GlobalAveragePool", {x}); },
      [=](Sketch& s, NodeId x, NodeId) { return mean(s, x, axes); },
      [=](Sketch& s, NodeId x, NodeId) {
        Shape out = shape;
        std::fill(out.begin() + 2, out.end(), 1);
        return s.reshape(s.op("GlobalAveragePool", {s.reshape(x, image)}), out);
      },
      [=](Sketch& s, NodeId x, NodeId) {
        NodeId y = x;
        for (const Dim axis : axes) y = mean(s, y, {axis});
        return y;
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("ReduceSum", Attrs{{"axes", axes}}, {x});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return times(s, s.op("ReduceSum", Attrs{{"axes", axes}}, {x}), 1 / (area + 1));
      },
  };
  return step;
}

}  // namespace pet::fuzz
