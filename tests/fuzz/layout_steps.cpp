// Steps that only move elements, and the parts that all steps use.
#include <algorithm>

#include "tests/fuzz/step.h"
#include "tests/support/weights.h"

namespace pet::fuzz {

std::vector<float> random_weights(const Shape& shape, Rng& rng) {
  const auto number = static_cast<std::size_t>(count(shape));
  if (rng.below(2) == 0) return test::drawn_floats(number, [&] { return rng.between(-2, 2); });
  return test::normal_floats(number, rng);
}

NodeId weights(Sketch& s, const Shape& shape, const std::vector<float>& values) {
  return s.constant(shape, values);
}

NodeId reversed(Sketch& s, NodeId x, std::size_t axis) {
  const Dim extent = s.shape(x)[axis];
  return s.op("Slice",
              Attrs{{"axes", Ints{static_cast<Dim>(axis)}},
                    {"starts", Ints{extent - 1}},
                    {"ends", Ints{-1}},
                    {"steps", Ints{-1}}},
              {x});
}

NodeId pad(Sketch& s, NodeId x, std::size_t axis, Dim begin, Dim end) {
  Ints pads(2 * s.shape(x).size(), 0);
  pads[axis] = begin;
  pads[s.shape(x).size() + axis] = end;
  return s.op("Pad", Attrs{{"pads", pads}}, {x});
}

NodeId crop(Sketch& s, NodeId x, std::size_t axis, Dim begin, Dim end) {
  return pad(s, x, axis, -begin, end - s.shape(x)[axis]);
}

Shape random_factors(Dim size, Rng& rng) {
  Shape out;
  for (Dim f = 2; size > 1 && out.size() < 3; ++f) {
    while (size % f == 0 && out.size() < 3) {
      out.push_back(f);
      size /= f;
    }
  }
  if (size > 1 || out.empty()) out.push_back(size);
  for (std::size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[rng.below(i)]);
  if (out.size() > 1 && rng.below(2) == 0) {
    const Dim last = out.back();
    out.pop_back();
    out.back() *= last;
  }
  return out;
}

Ints random_permutation(std::size_t rank, Rng& rng) {
  Ints out(rank);
  std::iota(out.begin(), out.end(), 0);
  for (std::size_t i = rank; i > 1; --i) std::swap(out[i - 1], out[rng.below(i)]);
  return out;
}

Ints inverse(const Ints& permutation) {
  Ints out(permutation.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[static_cast<std::size_t>(permutation[i])] = static_cast<Dim>(i);
  }
  return out;
}

Turn random_turn(const Shape& shape, Rng& rng) {
  const auto axis = any_axis(shape, rng);
  switch (rng.below(4)) {
    case 0: {
      const Ints perm = random_permutation(shape.size(), rng);
      return {[perm](Sketch& s, NodeId x) { return s.transpose(x, perm); },
              [perm](Sketch& s, NodeId x) { return s.transpose(x, inverse(perm)); }};
    }
    case 1: {
      const Shape to = random_factors(count(shape), rng);
      return {[to](Sketch& s, NodeId x) { return s.reshape(x, to); },
              [shape](Sketch& s, NodeId x) { return s.reshape(x, shape); }};
    }
    case 2: {
      Shape to = shape;  // the digits of the axes have nothing in common
      std::reverse(to.begin(), to.end());
      return {[to](Sketch& s, NodeId x) { return s.reshape(x, to); },
              [shape](Sketch& s, NodeId x) { return s.reshape(x, shape); }};
    }
    default:
      return {[axis](Sketch& s, NodeId x) { return reversed(s, x, axis); },
              [axis](Sketch& s, NodeId x) { return reversed(s, x, axis); }};
  }
}

namespace {

// Quarters 0, 2, 1, 3 of the flat tensor.
NodeId middle_swapped(Sketch& s, NodeId x) {
  const Shape shape = s.shape(x);
  const Dim quarter = count(shape) / 4;
  const NodeId flat = s.reshape(x, {4, quarter});
  std::vector<NodeId> pieces;
  for (const Dim q : {0, 2, 1, 3}) pieces.push_back(s.slice(flat, 0, q, q + 1));
  return s.reshape(s.concat(std::move(pieces), 0), shape);
}

void add_wrong_trips(Step& step, const Shape& shape, std::size_t axis, Dim cut) {
  const Dim extent = shape[axis];
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) { return reversed(s, x, axis); });
  step.wrong.push_back(
      [=](Sketch& s, NodeId x, NodeId) { return s.slice(pad(s, x, axis, 1, 1), axis, 0, extent); });
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) {
    Shape back(shape.rbegin(), shape.rend());
    Ints perm(shape.size());
    std::iota(perm.rbegin(), perm.rend(), 0);
    return s.transpose(s.reshape(x, back), perm);
  });
  if (count(shape) % 4 == 0 && count(shape) > 0) {
    step.wrong.push_back([](Sketch& s, NodeId x, NodeId) { return middle_swapped(s, x); });
  }
  if (extent < 2) return;
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) {
    return s.concat({s.slice(x, axis, 0, cut), s.slice(x, axis, cut - 1, extent - 1)}, axis);
  });
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) {
    return s.concat({s.slice(x, axis, cut, extent), s.slice(x, axis, 0, cut)}, axis);
  });
}

}  // namespace

Step round_trip(const Shape& shape, Rng& rng) {
  Step step{"round trip", {}, {}};
  const auto axis = any_axis(shape, rng);
  const Dim extent = shape[axis];
  const Dim cut = extent < 2 ? 0 : rng.between(1, extent - 1);
  const Turn turn = random_turn(shape, rng);
  const Turn second = random_turn(shape, rng);
  step.right = {
      [](Sketch& s, NodeId x, NodeId) { return s.op("Identity", {x}); },
      [=](Sketch& s, NodeId x, NodeId) { return turn.back(s, turn.there(s, x)); },
      [=](Sketch& s, NodeId x, NodeId) {
        return crop(s, pad(s, x, axis, 2, 1), axis, 2, extent + 2);
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return in_pieces(s, x, axis, cut, [&](NodeId piece) { return piece; });
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId y = in_pieces(s, turn.there(s, x), 0, 0, [](NodeId piece) { return piece; });
        return second.back(s, second.there(s, turn.back(s, y)));
      },
  };
  if (shape.size() == 4 && shape[2] % 2 == 0 && shape[3] % 2 == 0) {
    step.right.push_back([](Sketch& s, NodeId x, NodeId) {
      const Attrs block{{"blocksize", std::int64_t{2}}};
      return s.op("DepthToSpace", block, {s.op("SpaceToDepth", block, {x})});
    });
    step.wrong.push_back([](Sketch& s, NodeId x, NodeId) {
      const Attrs block{{"blocksize", std::int64_t{2}}};
      const Attrs other{{"blocksize", std::int64_t{2}}, {"mode", std::string("CRD")}};
      return s.op("DepthToSpace", other, {s.op("SpaceToDepth", block, {x})});
    });
  }
  add_wrong_trips(step, shape, axis, cut);
  return step;
}

Step transposed(const Shape& shape, Rng& rng) {
  Step step{"transpose", {}, {}};
  const Ints perm = random_permutation(shape.size(), rng);
  const Ints first = random_permutation(shape.size(), rng);
  Ints rest;  // after `first`, what is left to do
  for (const Dim p : perm) rest.push_back(inverse(first)[static_cast<std::size_t>(p)]);
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return s.transpose(x, perm); },
      [=](Sketch& s, NodeId x, NodeId) { return s.transpose(s.transpose(x, first), rest); },
  };
  step.wrong = {[=](Sketch& s, NodeId x, NodeId) {
    Shape to;
    for (const Dim p : perm) to.push_back(shape[static_cast<std::size_t>(p)]);
    return s.reshape(x, to);
  }};
  return step;
}

Step reshaped(const Shape& shape, Rng& rng) {
  Step step{"reshape", {}, {}};
  const Shape to = random_factors(count(shape), rng);
  const Shape between = random_factors(count(shape), rng);
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return s.reshape(x, to); },
      [=](Sketch& s, NodeId x, NodeId) { return s.reshape(s.reshape(x, between), to); },
  };
  const Ints perm = random_permutation(shape.size(), rng);
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return s.reshape(s.transpose(x, perm), to); },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId y = s.reshape(x, between);
        return s.reshape(reversed(s, y, between.size() - 1), to);
      },
  };
  return step;
}

Step sliced(const Shape& shape, Rng& rng) {
  Step step{"slice", {}, {}};
  const auto axis = any_axis(shape, rng);
  const Dim extent = shape[axis];
  if (extent < 2) return step;
  const Dim begin = rng.between(0, extent - 1);
  const Dim end = rng.between(begin + 1, extent);
  const auto steps = [=](Dim start, Dim stop, Dim by) {
    return Attrs{{"axes", Ints{static_cast<Dim>(axis)}},
                 {"starts", Ints{start}},
                 {"ends", Ints{stop}},
                 {"steps", Ints{by}}};
  };
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return s.slice(x, axis, begin, end); },
      [=](Sketch& s, NodeId x, NodeId) { return crop(s, x, axis, begin, end); },
      [=](Sketch& s, NodeId x, NodeId) { return s.op("Slice", steps(begin, end, 1), {x}); },
      [=](Sketch& s, NodeId x, NodeId) {
        return reversed(s, s.op("Slice", steps(end - 1, begin - 1, -1), {x}), axis);
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.slice(s.concat({x, x}, axis), axis, extent + begin, extent + end);
      },
  };
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) {
    return s.op("Slice", steps(end - 1, begin - 1, -1), {x});
  });
  if (begin > 0) {
    step.wrong.push_back(
        [=](Sketch& s, NodeId x, NodeId) { return s.slice(x, axis, begin - 1, end - 1); });
  }
  if (end < extent) {
    step.wrong.push_back(
        [=](Sketch& s, NodeId x, NodeId) { return s.slice(x, axis, begin + 1, end + 1); });
  }
  return step;
}

Step concatenated(const Shape& shape, Rng& rng) {
  Step step{"concat", {}, {}};
  const auto axis = any_axis(shape, rng);
  const Dim extent = shape[axis];
  const Dim cut = extent < 2 ? 0 : rng.between(1, extent - 1);
  step.right = {
      [=](Sketch& s, NodeId x, NodeId y) {
        return s.concat({x, y}, axis);
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        return s.op("Add", {pad(s, x, axis, 0, extent), pad(s, y, axis, extent, 0)});
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        const NodeId left = s.concat({x, s.slice(y, axis, 0, cut)}, axis);
        return s.concat({left, s.slice(y, axis, cut, extent)}, axis);
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId y) {
        return s.concat({y, x}, axis);
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.concat({x, x}, axis);
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        return s.op("Add", {pad(s, x, axis, 0, extent), pad(s, y, axis, extent - 1, 1)});
      },
  };
  return step;
}

Step padded(const Shape& shape, Rng& rng) {
  Step step{"pad", {}, {}};
  const auto axis = any_axis(shape, rng);
  const Dim begin = rng.between(0, 2);
  const Dim end = rng.between(begin == 0 ? 1 : 0, 2);
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return pad(s, x, axis, begin, end); },
      [=](Sketch& s, NodeId x, NodeId) { return pad(s, pad(s, x, axis, begin, 0), axis, 0, end); },
      [=](Sketch& s, NodeId x, NodeId) {
        Shape zeros = shape;
        zeros[axis] = begin;
        const NodeId first = s.op("Expand", Attrs{{"shape", zeros}}, {s.scalar(0)});
        zeros[axis] = end;
        return s.concat({first, x, s.op("Expand", Attrs{{"shape", zeros}}, {s.scalar(0)})}, axis);
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return pad(s, x, axis, end, begin); },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId edge = s.slice(x, axis, 0, 1);
        std::vector<NodeId> pieces(static_cast<std::size_t>(begin), edge);
        pieces.push_back(x);
        pieces.insert(pieces.end(), static_cast<std::size_t>(end), edge);
        return s.concat(std::move(pieces), axis);
      },
  };
  return step;
}

}  // namespace pet::fuzz
