// Steps from comparisons of two values, what is said of them in logic, and choices by it.
#include <array>

#include "tests/fuzz/step.h"

namespace pet::fuzz {
namespace {

// Something that is true or false of two values of one shape, element by element.
using Said = std::function<NodeId(Sketch&, NodeId x, NodeId y)>;

struct Truth {
  Said right;
  Said turned;  // the same by other comparisons
  Said wrong;
};

Said compared(const char* op) {
  return [op](Sketch& s, NodeId x, NodeId y) { return s.op(op, {x, y}); };
}

Said compared_backwards(const char* op) {
  return [op](Sketch& s, NodeId x, NodeId y) { return s.op(op, {y, x}); };
}

Truth comparison(Rng& rng) {
  static constexpr std::array<std::array<const char*, 2>, 2> kOpposites = {
      {{"Greater", "Less"}, {"GreaterOrEqual", "LessOrEqual"}}};
  const auto which = rng.below(3);
  if (which == 2) {
    const Said equal = compared("Equal");
    return {equal, equal, compared(rng.below(2) == 0 ? "GreaterOrEqual" : "LessOrEqual")};
  }
  const auto side = rng.below(2);
  const char* op = kOpposites[which][side];
  const char* opposite = kOpposites[which][1 - side];
  const bool is_other_at_equals = rng.below(4) == 0;
  return {compared(op), compared_backwards(opposite),
          compared(is_other_at_equals ? kOpposites[1 - which][side] : opposite)};
}

Said negated(const Said& said) {
  return [said](Sketch& s, NodeId x, NodeId y) { return s.op("Not", {said(s, x, y)}); };
}

// The second one is said of y and a half of x.
Said joined(const char* op, const Said& first, const Said& second) {
  return [=](Sketch& s, NodeId x, NodeId y) {
    return s.op(op, {first(s, x, y), second(s, y, times(s, x, 0.5F))});
  };
}

Truth truth(Rng& rng) {
  static constexpr std::array kJoints = {"And", "Or", "Xor"};
  const Truth first = comparison(rng);
  if (rng.below(3) == 0)
    return {negated(first.right), negated(first.turned),
            rng.below(2) == 0 ? negated(first.wrong) : first.right};
  const Truth second = comparison(rng);
  const auto which = rng.below(kJoints.size());
  const char* op = kJoints[which];
  const char* other = kJoints[(which + 1) % kJoints.size()];
  const bool joint_goes_wrong = rng.below(2) == 0;
  return {joined(op, first.right, second.right), joined(op, first.turned, second.turned),
          joint_goes_wrong ? joined(other, first.right, second.right)
                           : joined(op, first.wrong, second.right)};
}

// What is made of a truth value c of x and y.
using Use = std::function<NodeId(Sketch&, NodeId c, NodeId x, NodeId y)>;

NodeId as_type(Sketch& s, NodeId x, std::int64_t to) {
  return s.op("Cast", Attrs{{"to", to}}, {x});
}

Use use(Rng& rng) {
  const auto chosen = [](Sketch& s, NodeId c, NodeId x, NodeId y) {
    return s.op("Where", {c, x, y});
  };
  const auto counted = [](Sketch& s, NodeId c, NodeId x, NodeId) {
    return add(s, x, as_type(s, c, 1));
  };
  const auto of_integers = [](Sketch& s, NodeId c, NodeId x, NodeId) {
    const NodeId number = s.op("Where", {c, as_type(s, x, 7), as_type(s, c, 7)});
    return mul(s, x, as_type(s, number, 1));
  };
  const auto guarded = [](Sketch& s, NodeId c, NodeId x, NodeId y) {
    const NodeId made = s.op("Where", {c, x, y});
    return s.op("Where", {s.op("IsNaN", {made}), y, made});
  };
  switch (rng.below(5)) {
    case 0:
      return counted;
    case 1:
      return of_integers;
    case 2:
      return guarded;
    default:
      return chosen;
  }
}

void add_right_forms(Step& step, const Truth& said, const Use& use, const Shape& shape, Rng& rng) {
  const Turn turn = random_turn(shape, rng);
  const auto axis = any_axis(shape, rng);
  const Dim cut = shape[axis] / 2;
  step.right = {
      [=](Sketch& s, NodeId x, NodeId y) { return use(s, said.right(s, x, y), x, y); },
      [=](Sketch& s, NodeId x, NodeId y) { return use(s, said.turned(s, x, y), x, y); },
      [=](Sketch& s, NodeId x, NodeId y) {
        const NodeId a = turn.there(s, x);
        const NodeId b = turn.there(s, y);
        return turn.back(s, use(s, said.right(s, a, b), a, b));
      },
      [=](Sketch& s, NodeId x, NodeId y) {  // of truth values the positions alone are moved
        const NodeId c = said.turned(s, turn.there(s, x), turn.there(s, y));
        return use(s, turn.back(s, c), x, y);
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        const auto piece = [&](Dim from, Dim to) {
          const NodeId a = s.slice(x, axis, from, to);
          const NodeId b = s.slice(y, axis, from, to);
          return use(s, said.right(s, a, b), a, b);
        };
        return s.concat({piece(0, cut), piece(cut, shape[axis])}, axis);
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        const auto piece = [&](Dim from, Dim to) {
          return said.right(s, s.slice(x, axis, from, to), s.slice(y, axis, from, to));
        };
        return use(s, s.concat({piece(0, cut), piece(cut, shape[axis])}, axis), x, y);
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        const NodeId same = sub(s, add(s, y, x), y);
        return use(s, said.right(s, same, y), x, y);
      },
  };
}

}  // namespace

Step choice(const Shape& shape, Rng& rng) {
  Step step{"choice", {}, {}};
  const Truth said = truth(rng);
  const Use made = use(rng);
  add_right_forms(step, said, made, shape, rng);
  const auto axis = any_axis(shape, rng);
  step.wrong = {
      [=](Sketch& s, NodeId x, NodeId y) { return made(s, said.wrong(s, x, y), x, y); },
      [=](Sketch& s, NodeId x, NodeId y) { return made(s, said.right(s, x, y), y, x); },
      [=](Sketch& s, NodeId x, NodeId y) {
        return made(s, said.right(s, reversed(s, x, axis), y), x, y);
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        return made(s, reversed(s, said.right(s, x, y), axis), x, y);
      },
      [=](Sketch& s, NodeId x, NodeId y) {
        return made(s, s.op("Not", {said.right(s, x, y)}), x, y);
      },
  };
  return step;
}

}  // namespace pet::fuzz
