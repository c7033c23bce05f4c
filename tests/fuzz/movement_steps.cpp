// Steps of the operators that repeat, pick and regroup elements.
#include "tests/fuzz/step.h"

namespace pet::fuzz {
namespace {

Attrs picked(std::size_t axis, const Ints& indices) {
  return Attrs{{"axis", static_cast<Dim>(axis)},
               {"indices", indices},
               {"shape", Ints{static_cast<Dim>(indices.size())}}};
}

NodeId gather(Sketch& s, NodeId x, std::size_t axis, const Ints& indices) {
  return s.op("Gather", picked(axis, indices), {x});
}

NodeId mirrored(Sketch& s, NodeId x, std::string_view mode, std::size_t axis, Dim begin, Dim end) {
  Ints pads(2 * s.shape(x).size(), 0);
  pads[axis] = begin;
  pads[s.shape(x).size() + axis] = end;
  return s.op("Pad", Attrs{{"pads", pads}, {"mode", std::string(mode)}}, {x});
}

}  // namespace

Step gathered(const Shape& shape, Rng& rng) {
  Step step{"gather", {}, {}};
  const auto axis = any_axis(shape, rng);
  const Dim extent = shape[axis];
  Ints indices;
  for (Dim i = rng.between(1, 4); i > 0; --i) indices.push_back(rng.between(0, extent - 1));
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return gather(s, x, axis, indices); },
      [=](Sketch& s, NodeId x, NodeId) {
        std::vector<NodeId> pieces;
        for (const Dim i : indices) pieces.push_back(s.slice(x, axis, i, i + 1));
        return s.concat(std::move(pieces), axis);
      },
      [=](Sketch& s, NodeId x, NodeId) {
        Ints turned;
        for (const Dim i : indices) turned.push_back(extent - 1 - i);
        return gather(s, reversed(s, x, axis), axis, turned);
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        Ints behind;
        for (const Dim i : indices) behind.push_back(i + extent);
        return gather(s, s.concat({y, x}, axis), axis, behind);
      },
  };
  const auto other = [=](std::size_t which) {
    Ints out = indices;
    out[which] = (out[which] + 1) % extent;
    return out;
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return gather(s, x, axis, other(0)); },
      [=](Sketch& s, NodeId x, NodeId) { return gather(s, x, axis, other(indices.size() - 1)); },
      [=](Sketch& s, NodeId x, NodeId) {
        return gather(s, x, axis, Ints(indices.rbegin(), indices.rend()));
      },
  };
  return step;
}

Step tiled(const Shape& shape, Rng& rng) {
  Step step{"tile", {}, {}};
  const auto axis = any_axis(shape, rng);
  const Dim times_over = rng.between(2, 3);
  if (count(shape) > 120) return step;
  Ints repeats(shape.size(), 1);
  repeats[axis] = times_over;
  Shape target = shape;
  target[axis] *= times_over;
  const auto copied = [=](Sketch& s, NodeId x, std::size_t place) {
    Shape with = shape;
    with.insert(with.begin() + static_cast<std::ptrdiff_t>(place), times_over);
    const NodeId single = s.op("Unsqueeze", Attrs{{"axes", Ints{static_cast<Dim>(place)}}}, {x});
    return s.reshape(s.op("Expand", Attrs{{"shape", with}}, {single}), target);
  };
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("Tile", Attrs{{"repeats", repeats}}, {x});
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.concat(std::vector<NodeId>(static_cast<std::size_t>(times_over), x), axis);
      },
      [=](Sketch& s, NodeId x, NodeId) { return copied(s, x, axis); },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return copied(s, x, axis + 1); },
      [=](Sketch& s, NodeId x, NodeId y) {
        std::vector<NodeId> pieces(static_cast<std::size_t>(times_over), x);
        pieces.back() = y;
        return s.concat(std::move(pieces), axis);
      },
  };
  return step;
}

// A unit axis comes and goes; all axes become two.
Step unit_axes(const Shape& shape, Rng& rng) {
  Step step{"unit axes", {}, {}};
  const auto place = static_cast<Dim>(rng.below(shape.size() + 1));
  const auto axis = static_cast<Dim>(any_axis(shape, rng));
  Shape with = shape;
  with.insert(with.begin() + place, 1);
  const Attrs axes{{"axes", Ints{place}}};
  if (rng.below(2) == 0) {
    step.right = {
        [=](Sketch& s, NodeId x, NodeId) {
          return s.op("Squeeze", axes, {s.op("Unsqueeze", axes, {x})});
        },
        [=](Sketch& s, NodeId x, NodeId) { return s.op("Squeeze", axes, {s.reshape(x, with)}); },
        [=](Sketch& s, NodeId x, NodeId) { return s.reshape(s.op("Unsqueeze", axes, {x}), shape); },
    };
    step.wrong = {[=](Sketch& s, NodeId x, NodeId) {
      return s.op("Squeeze", axes, {s.op("Unsqueeze", axes, {reversed(s, x, 0)})});
    }};
    return step;
  }
  Dim rows = 1;
  for (Dim i = 0; i < axis; ++i) rows *= shape[static_cast<std::size_t>(i)];
  const Shape matrix = {rows, count(shape) / rows};
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("Flatten", Attrs{{"axis", axis}}, {x});
      },
      [=](Sketch& s, NodeId x, NodeId) { return s.reshape(x, matrix); },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("Flatten", Attrs{{"axis", Dim{1}}}, {s.reshape(x, matrix)});
      },
  };
  step.wrong = {[=](Sketch& s, NodeId x, NodeId) {
    const NodeId turned = s.reshape(x, {matrix[1], matrix[0]});
    return s.transpose(turned, {1, 0});
  }};
  return step;
}

// Blocks of pixels become channels, or channels blocks of pixels.
Step blocks(const Shape& shape, Rng& rng) {
  Step step{"blocks", {}, {}};
  const Dim size = count(shape);
  if (size % 8 != 0) return step;
  const bool to_space = rng.below(2) == 0;
  const std::string mode = to_space && rng.below(2) == 0 ? "CRD" : "DCR";
  const Shape image = to_space ? Shape{1, 8, 1, size / 8} : Shape{1, size / 8, 2, 4};
  const auto named = [=](Sketch& s, NodeId x, const std::string& in_mode) {
    Attrs attrs{{"blocksize", Dim{2}}};
    if (to_space) attrs.set("mode", in_mode);
    return s.op(to_space ? "DepthToSpace" : "SpaceToDepth", attrs, {s.reshape(x, image)});
  };
  const Dim c = image[1];
  const Dim h = image[2];
  const Dim w = image[3];
  const auto moved = [=](Sketch& s, NodeId x, const std::string& in_mode) {
    if (!to_space) {
      const NodeId y = s.transpose(s.reshape(x, {1, c, h / 2, 2, w / 2, 2}), {0, 3, 5, 1, 2, 4});
      return s.reshape(y, {1, 4 * c, h / 2, w / 2});
    }
    const NodeId y = in_mode == "DCR"
                         ? s.transpose(s.reshape(x, {1, 2, 2, c / 4, h, w}), {0, 3, 4, 1, 5, 2})
                         : s.transpose(s.reshape(x, {1, c / 4, 2, 2, h, w}), {0, 1, 4, 2, 5, 3});
    return s.reshape(y, {1, c / 4, 2 * h, 2 * w});
  };
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return named(s, x, mode); },
      [=](Sketch& s, NodeId x, NodeId) { return moved(s, x, mode); },
      [=](Sketch& s, NodeId x, NodeId y) {
        return s.op("Sub", {named(s, s.op("Add", {x, y}), mode), moved(s, y, mode)});
      },
  };
  step.wrong = {[=](Sketch& s, NodeId x, NodeId) {
    const NodeId y = named(s, x, mode);
    return reversed(s, y, 3);
  }};
  if (to_space) {
    step.wrong.push_back(
        [=](Sketch& s, NodeId x, NodeId) { return named(s, x, mode == "DCR" ? "CRD" : "DCR"); });
  }
  return step;
}

// The border repeated or mirrored.
Step bordered(const Shape& shape, Rng& rng) {
  Step step{"border", {}, {}};
  const auto axis = any_axis(shape, rng);
  const Dim extent = shape[axis];
  if (extent < 3) return step;
  const bool repeats = rng.below(2) == 0;
  const Dim begin = rng.between(0, 2);
  const Dim end = rng.between(begin == 0 ? 1 : 0, 2);
  const std::string_view mode = repeats ? "edge" : "reflect";
  Ints indices;
  for (Dim i = -begin; i < extent + end; ++i) {
    const Dim inside = repeats       ? std::clamp<Dim>(i, 0, extent - 1)
                       : i < 0       ? -i
                       : i >= extent ? 2 * (extent - 1) - i
                                     : i;
    indices.push_back(inside);
  }
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return mirrored(s, x, mode, axis, begin, end); },
      [=](Sketch& s, NodeId x, NodeId) { return gather(s, x, axis, indices); },
      [=](Sketch& s, NodeId x, NodeId) {
        return mirrored(s, mirrored(s, x, mode, axis, begin, 0), mode, axis, 0, end);
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) {
        return mirrored(s, x, repeats ? "reflect" : "edge", axis, begin, end);
      },
      [=](Sketch& s, NodeId x, NodeId) { return pad(s, x, axis, begin, end); },
  };
  return step;
}

}  // namespace pet::fuzz
