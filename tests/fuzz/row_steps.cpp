// Steps that make one number of a row, or of each element one beside the others of its row.
#include <array>

#include "tests/fuzz/step.h"

namespace pet::fuzz {
namespace {

NodeId reduced(Sketch& s, const char* op, NodeId x, Dim axis) {
  return s.op(op, Attrs{{"axes", Ints{axis}}}, {x});
}

// Each is the wrong one for another.
constexpr std::array kOfRows = {"ReduceMax", "ReduceMin",       "ReduceL1",
                                "ReduceL2",  "ReduceLogSumExp", "ReduceLogSum"};

// The forms that a function has which does not care about the order of a row.
void add_row_forms(Step& step, const std::function<NodeId(Sketch&, NodeId, Dim)>& of,
                   const Shape& shape, std::size_t axis, Rng& rng) {
  const Dim own = static_cast<Dim>(axis);
  const Ints perm = random_permutation(shape.size(), rng);
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return of(s, x, own); },
      [=](Sketch& s, NodeId x, NodeId) { return of(s, reversed(s, x, axis), own); },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.transpose(of(s, s.transpose(x, perm), inverse(perm)[axis]), inverse(perm));
      },
      [=](Sketch& s, NodeId x, NodeId y) { return of(s, sub(s, add(s, x, y), y), own); },
  };
  step.wrong.push_back([=](Sketch& s, NodeId x, NodeId) { return of(s, add(s, x, x), own); });
  const auto other = any_axis(shape, rng);
  if (other == axis) return;
  step.right.push_back([=](Sketch& s, NodeId x, NodeId) {
    return in_pieces(s, x, other, shape[other] / 2, [&](NodeId part) { return of(s, part, own); });
  });
  step.wrong.push_back(
      [=](Sketch& s, NodeId x, NodeId) { return reversed(s, of(s, x, own), other); });
}

Step log_of_softmax(const Shape& shape, Rng& rng) {
  Step step{"log softmax", {}, {}};
  const auto axis = any_axis(shape, rng);
  const auto along = [](const char* op, Sketch& s, NodeId x, Dim a) {
    return s.op(op, Attrs{{"axis", a}}, {x});
  };
  const Dim own = static_cast<Dim>(axis);
  const Ints perm = random_permutation(shape.size(), rng);
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return along("LogSoftmax", s, x, own); },
      [=](Sketch& s, NodeId x, NodeId) {
        return reversed(s, along("LogSoftmax", s, reversed(s, x, axis), own), axis);
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId y = along("LogSoftmax", s, s.transpose(x, perm), inverse(perm)[axis]);
        return s.transpose(y, inverse(perm));
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return along("Softmax", s, x, own); },
      [=](Sketch& s, NodeId x, NodeId) {
        return along("LogSoftmax", s, x, (own + 1) % static_cast<Dim>(shape.size()));
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return along("LogSoftmax", s, reversed(s, x, axis), own);
      },
  };
  return step;
}

Step global_maximum(const Shape& shape) {
  Step step{"global max pool", {}, {}};
  Ints axes;
  for (std::size_t a = 2; a < shape.size(); ++a) axes.push_back(static_cast<Dim>(a));
  const std::size_t last = shape.size() - 1;
  step.right = {
      [](Sketch& s, NodeId x, NodeId) { return s.op("GlobalMaxPool", {x}); },
      [=](Sketch& s, NodeId x, NodeId) { return s.op("GlobalMaxPool", {reversed(s, x, last)}); },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("ReduceMax", Attrs{{"axes", axes}}, {x});
      },
  };
  step.wrong = {
      [](Sketch& s, NodeId x, NodeId) { return s.op("GlobalAveragePool", {x}); },
      [=](Sketch& s, NodeId x, NodeId) { return s.op("GlobalMaxPool", {reversed(s, x, 1)}); },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.op("ReduceMin", Attrs{{"axes", axes}}, {x});
      },
  };
  return step;
}

}  // namespace

Step row_function(const Shape& shape, Rng& rng) {
  const auto which = rng.below(kOfRows.size() + 3);
  if (which > kOfRows.size() && shape.size() > 2) return global_maximum(shape);
  if (which >= kOfRows.size()) return log_of_softmax(shape, rng);
  const auto axis = any_axis(shape, rng);
  Step step{kOfRows[which], {}, {}};
  const auto by = [](const char* op) {
    return [op](Sketch& s, NodeId x, Dim a) { return reduced(s, op, x, a); };
  };
  add_row_forms(step, by(kOfRows[which]), shape, axis, rng);
  const char* other = kOfRows[(which + 1) % kOfRows.size()];
  step.wrong.push_back(
      [=](Sketch& s, NodeId x, NodeId) { return reduced(s, other, x, static_cast<Dim>(axis)); });
  if (std::string_view(kOfRows[which]) == "ReduceL1") {
    step.right.push_back([=](Sketch& s, NodeId x, NodeId) {
      return reduced(s, "ReduceSum", s.op("Abs", {x}), static_cast<Dim>(axis));
    });
  }
  return step;
}

// Squares and products along an axis, and means of several.
Step powers_of_rows(const Shape& shape, Rng& rng) {
  Step step{"powers of rows", {}, {}};
  const auto axis = any_axis(shape, rng);
  const Dim own = static_cast<Dim>(axis);
  const auto kind = rng.below(3);
  if (kind == 0) {
    add_row_forms(
        step, [](Sketch& s, NodeId x, Dim a) { return reduced(s, "ReduceSumSquare", x, a); }, shape,
        axis, rng);
    step.right.push_back(
        [=](Sketch& s, NodeId x, NodeId) { return reduced(s, "ReduceSum", mul(s, x, x), own); });
    step.wrong.push_back(
        [=](Sketch& s, NodeId x, NodeId) { return reduced(s, "ReduceSum", x, own); });
  } else if (kind == 1 && shape[axis] <= 3) {
    add_row_forms(
        step, [](Sketch& s, NodeId x, Dim a) { return reduced(s, "ReduceProd", x, a); }, shape,
        axis, rng);
    step.right.push_back([=](Sketch& s, NodeId x, NodeId) {
      NodeId out = s.slice(x, axis, 0, 1);
      for (Dim i = 1; i < shape[axis]; ++i) out = mul(s, out, s.slice(x, axis, i, i + 1));
      return out;
    });
    step.wrong.push_back(
        [=](Sketch& s, NodeId x, NodeId) { return reduced(s, "ReduceSum", x, own); });
  } else {
    step.right = {
        [](Sketch& s, NodeId x, NodeId y) {
          return s.op("Mean", {x, y});
        },
        [](Sketch& s, NodeId x, NodeId y) { return times(s, add(s, y, x), 0.5F); },
        [](Sketch& s, NodeId x, NodeId y) {
          return s.op("Mean", {y, x, x, y});
        },
    };
    step.wrong = {
        [](Sketch& s, NodeId x, NodeId y) {
          return s.op("Mean", {x, y, x});
        },
        [](Sketch& s, NodeId x, NodeId y) { return add(s, x, y); },
    };
  }
  return step;
}

}  // namespace pet::fuzz
