// Steps that part matrices along a diagonal, and running sums, which are products with such parts.
#include "tests/fuzz/step.h"

namespace pet::fuzz {
namespace {

NodeId trilu(Sketch& s, NodeId x, Dim k, bool upper) {
  return s.op("Trilu", Attrs{{"k", k}, {"upper", std::int64_t{upper}}}, {x});
}

NodeId cum_sum(Sketch& s, NodeId x, std::size_t axis, bool exclusive, bool reverse) {
  return s.op("CumSum",
              Attrs{{"axis", static_cast<Dim>(axis)},
                    {"exclusive", std::int64_t{exclusive}},
                    {"reverse", std::int64_t{reverse}}},
              {x});
}

Step parted(const Shape& shape, Rng& rng) {
  const Dim k = rng.between(-2, 2);
  const bool upper = rng.below(2) == 0;
  const std::size_t last = shape.size() - 1;
  Ints turn(shape.size());
  for (std::size_t i = 0; i < turn.size(); ++i) turn[i] = static_cast<Dim>(i);
  std::swap(turn[last], turn[last - 1]);
  Step step{"triangle", {}, {}};
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return s.op("Dropout", {trilu(s, x, k, upper)}); },
      [=](Sketch& s, NodeId x, NodeId) {
        return sub(s, x, trilu(s, x, upper ? k - 1 : k + 1, !upper));
      },
      [=](Sketch& s, NodeId x, NodeId) {
        return s.transpose(trilu(s, s.transpose(x, turn), -k, !upper), turn);
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        return sub(s, trilu(s, add(s, y, x), k, upper), trilu(s, y, k, upper));
      },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return sub(s, x, trilu(s, x, k, !upper)); },
      [=](Sketch& s, NodeId x, NodeId) { return trilu(s, x, k + 1, upper); },
      [=](Sketch& s, NodeId x, NodeId) { return trilu(s, reversed(s, x, last), k, upper); },
  };
  return step;
}

}  // namespace

Step triangles(const Shape& shape, Rng& rng) {
  if (shape.size() > 1 && rng.below(2) == 0) return parted(shape, rng);
  const auto axis = any_axis(shape, rng);
  const bool exclusive = rng.below(2) == 0;
  const bool reverse = rng.below(2) == 0;
  const auto sums = [=](Sketch& s, NodeId x) { return cum_sum(s, x, axis, exclusive, reverse); };
  Step step{"running sums", {}, {}};
  step.right = {
      [=](Sketch& s, NodeId x, NodeId) { return s.op("Dropout", {sums(s, x)}); },
      [=](Sketch& s, NodeId x, NodeId) {
        return reversed(s, cum_sum(s, reversed(s, x, axis), axis, exclusive, !reverse), axis);
      },
      [=](Sketch& s, NodeId x, NodeId) {
        const NodeId other = cum_sum(s, x, axis, !exclusive, reverse);
        return exclusive ? sub(s, other, x) : add(s, other, x);
      },
      [=](Sketch& s, NodeId x, NodeId) {  // all but those from the other end
        const NodeId all = s.op("ReduceSum", Attrs{{"axes", Ints{static_cast<Dim>(axis)}}}, {x});
        return sub(s, all, cum_sum(s, x, axis, !exclusive, !reverse));
      },
      [=](Sketch& s, NodeId x, NodeId y) { return sub(s, sums(s, add(s, x, y)), sums(s, y)); },
  };
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId) { return cum_sum(s, x, axis, exclusive, !reverse); },
      [=](Sketch& s, NodeId x, NodeId) { return cum_sum(s, x, axis, !exclusive, reverse); },
      [=](Sketch& s, NodeId x, NodeId) { return sums(s, reversed(s, x, axis)); },
  };
  return step;
}

}  // namespace pet::fuzz
