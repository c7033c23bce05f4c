#include "verify/theorem/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace pet::theorem {
namespace {

using Splits = std::vector<std::set<Dim>>;  // by axis

// What of an index is decided by its value: which side of borders, guards and split points it is
// on.
using Kind = std::function<std::size_t(Dim)>;

class Propagation {
 public:
  explicit Propagation(const Program& program) : program_(program) {}

  Result<Splits> of(NodeId output) {
    std::vector<Splits> all;
    for (const NodeId id : program_.graph().ids()) {
      Splits& splits = all.emplace_back();
      if (program_.kind(id) == Program::Kind::Unneeded) continue;
      splits.resize(program_.graph().node(id).type.shape->size());
      if (program_.kind(id) != Program::Kind::Sum) continue;
      if (auto done = add(id, all); !done) return std::move(done).error();
    }
    return std::move(all[output.index()]);
  }

 private:
  Status add(NodeId id, std::vector<Splits>& all) {
    const Meaning& meaning = program_.graph().meaning(id);
    const auto& operands = program_.graph().node(id).operands;
    Splits& out = all[id.index()];
    for (const Term& term : meaning.sum.terms) {
      Shape extents = meaning.sum.out;
      extents.insert(extents.end(), term.reduce.begin(), term.reduce.end());
      for (const Guard& guard : term.guards) {
        const Kind kind = [&guard](Dim at) { return guard.holds_for(at) ? 1 : 0; };
        if (auto done = add(guard.expr, extents, kind, out); !done) return done;
      }
      for (const Access& access : term.factors) {
        const auto number = static_cast<std::size_t>(access.operand);
        const bool is_operand = number < operands.size();
        const Shape& shape = is_operand ? *program_.graph().node(operands[number]).type.shape
                                        : meaning.applications[number - operands.size()].out;
        for (std::size_t d = 0; d < shape.size(); ++d) {
          std::vector<Dim> ends{0};
          if (is_operand) {
            const auto& inside = all[operands[number].index()][d];
            ends.insert(ends.end(), inside.begin(), inside.end());
          }
          ends.push_back(shape[d]);
          const auto [low, high] = access.index[d].bounds(extents);
          if (ends.size() == 2 && low >= 0 && high < shape[d]) continue;
          const Kind kind = [&ends](Dim at) {
            return static_cast<std::size_t>(std::ranges::upper_bound(ends, at) - ends.begin());
          };
          if (auto done = add(access.index[d], extents, kind, out); !done) return done;
        }
      }
    }
    return Done{};
  }

  // Splits an axis wherever one step along it makes the index another kind, be it for one value of
  // the other axes only.
  static Status add(const IndexExpr& index, const Shape& extents, const Kind& kind, Splits& out) {
    if (!index.is_separable())
      return Error{"indices that mix axes: the paper does not say where they are split",
                   ErrorKind::Unsupported};
    const auto axes = index.axes();
    for (const int axis : axes) {
      if (static_cast<std::size_t>(axis) >= out.size()) continue;  // summed over
      std::set<Dim> others{index.constant()};
      for (const int other : axes) {
        if (other == axis) continue;
        std::set<Dim> more;
        for (Dim at = 0; at < extents[static_cast<std::size_t>(other)]; ++at) {
          const Dim along = index.value_along(other, at);
          for (const Dim x : others) more.insert(x + along);
        }
        constexpr std::size_t kMost = 1 << 16;
        if (more.size() > kMost) return Error{"too many indices to split", ErrorKind::Unsupported};
        others = std::move(more);
      }
      auto& splits = out[static_cast<std::size_t>(axis)];
      for (Dim at = 1; at < extents[static_cast<std::size_t>(axis)]; ++at) {
        const Dim before = index.value_along(axis, at - 1);
        const Dim now = index.value_along(axis, at);
        if (std::ranges::any_of(others, [&](Dim x) { return kind(x + before) != kind(x + now); }))
          splits.insert(at);
      }
    }
    return Done{};
  }

  const Program& program_;
};

}  // namespace

Result<Boxes> published_boxes(const Program& original, NodeId original_output,
                              const Program& mutant, NodeId mutant_output) {
  Grid grid(*original.graph().node(original_output).type.shape);
  for (const Program* program : {&original, &mutant}) {
    const auto splits =
        Propagation(*program).of(program == &mutant ? mutant_output : original_output);
    if (!splits) return splits.error();
    for (std::size_t axis = 0; axis < splits->size(); ++axis) {
      for (const Dim at : (*splits)[axis]) grid.split(axis, at);
    }
  }
  const auto all = grid.boxes();
  if (!all) return Error{fmt::format("more than {} boxes", Grid::kMost), ErrorKind::Unsupported};
  Boxes out{grid.basis(), {}, {}};
  for (const auto& box : *all) out.boxes.push_back({box, {}});
  return out;
}

}  // namespace pet::theorem
