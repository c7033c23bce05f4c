#include "verify/inspect/crossings.h"

#include <algorithm>
#include <set>

namespace pet {
namespace {

constexpr Dim kFewTaps = 16;             // of an axis that is summed over: all are looked at
constexpr std::size_t kMostTaps = 4096;  // of one term or window

Shape in_axes(const Shape& digits, const DigitBasis& basis) {
  Shape out;
  std::size_t digit = 0;
  for (const Shape& axis : basis.digits) {
    Dim at = 0;
    for (const Dim extent : axis) at = at * extent + digits[digit++];
    out.push_back(at);
  }
  return out;
}

Shape in_digits(const Shape& position, const DigitBasis& basis) {
  Shape out;
  for (std::size_t axis = 0; axis < position.size(); ++axis) {
    const Shape strides = row_major_strides(basis.digits[axis]);
    Dim rest = position[axis];
    for (const Dim stride : strides) {
      out.push_back(rest / stride);
      rest %= stride;
    }
  }
  return out;
}

// All of a short axis, the ends of a long one.
std::vector<Shape> taps_of(const Shape& extents) {
  std::vector<Shape> out = {{}};
  for (const Dim extent : extents) {
    std::vector<Shape> longer;
    for (const Shape& tap : out) {
      for (Dim at = 0; at < extent; at += extent <= kFewTaps || at > 0 ? 1 : extent - 1) {
        if (longer.size() == kMostTaps) break;
        longer.push_back(tap);
        longer.back().push_back(at);
      }
    }
    out = std::move(longer);
  }
  return out;
}

// Two neighbours of one value.
struct Step {
  int operand = 0;  // as in an Access; -1: the node's own value
  Shape below, above;
};

class Stepping {
 public:
  Stepping(const Graph& graph, ProgramSide side, NodeId node,
           const std::vector<InspectedValue>& values)
      : graph_(graph),
        side_(side),
        id_(node),
        node_(graph.node(node)),
        meaning_(graph.meaning(node)),
        values_(values) {}

  // Elements are followed through the operator's own applications to its operands.
  void follow(Step step) {
    std::vector<Step> open = {std::move(step)};
    while (!open.empty()) {
      const Step next = std::move(open.back());
      open.pop_back();
      const auto operand = static_cast<std::size_t>(next.operand);
      if (next.operand < 0) {
        for (const Term& term : meaning_.sum.terms)
          for (const Access& access : term.factors)
            add_reads(access, term.reduce, term.guards, next, open);
      } else if (operand < node_.operands.size()) {
        cross(node_.operands[operand], next);
      } else {
        const Application& application = meaning_.applications[operand - node_.operands.size()];
        for (const Access& access : application.elements) add_reads(access, {}, {}, next, open);
        if (const auto& window = application.window)
          add_reads(window->read, window->extent, window->guards, next, open);
      }
    }
  }

  Crossings found() const { return {{sources_.begin(), sources_.end()}, begins_}; }

 private:
  static Shape index_of(const Access& access, const Shape& axes) {
    Shape out;
    for (const IndexExpr& e : access.index) out.push_back(e.value(axes));
    return out;
  }

  void add_reads(const Access& access, const Shape& summed, const std::vector<Guard>& guards,
                 const Step& at, std::vector<Step>& open) {
    std::set<std::pair<Shape, Shape>> known;
    for (const Shape& tap : taps_of(summed)) {
      Shape below = at.below, above = at.above;
      below.insert(below.end(), tap.begin(), tap.end());
      above.insert(above.end(), tap.begin(), tap.end());
      const bool counts = all_hold(guards, below);
      if (counts != all_hold(guards, above)) begins({InspectedCause::Kind::Guard, side_, id_, id_});
      if (!counts || !all_hold(guards, above)) continue;
      std::pair step(index_of(access, below), index_of(access, above));
      if (step.first == step.second || !known.insert(step).second) continue;
      open.push_back({access.operand, std::move(step.first), std::move(step.second)});
    }
  }

  void cross(NodeId operand, const Step& step) {
    const auto& type_shape = graph_.node(operand).type.shape;
    if (!type_shape) return;
    const auto is_inside = [&](const Shape& at) {
      return std::ranges::equal(at, *type_shape,
                                [](Dim x, Dim extent) { return x >= 0 && x < extent; });
    };
    const bool is_below = is_inside(step.below);
    if (is_below != is_inside(step.above))
      begins({InspectedCause::Kind::Border, side_, id_, operand});
    const InspectedValue& value = values_[operand.index()];
    if (!is_below || !is_inside(step.above) || value.cuts.empty()) return;
    const Shape below = in_digits(step.below, value.basis);
    const Shape above = in_digits(step.above, value.basis);
    for (const InspectedCut& cut : value.cuts) {
      const auto [low, high] = std::minmax(below[cut.digit], above[cut.digit]);
      if (low < cut.at && cut.at <= high) sources_.insert({operand, cut.digit, cut.at});
    }
  }

  void begins(const InspectedCause& cause) {
    if (std::ranges::find(begins_, cause) == begins_.end()) begins_.push_back(cause);
  }

  const Graph& graph_;
  const ProgramSide side_;
  const NodeId id_;
  const Node& node_;
  const Meaning& meaning_;
  const std::vector<InspectedValue>& values_;
  std::set<InspectedCut::Source> sources_;
  std::vector<InspectedCause> begins_;
};

}  // namespace

Crossings crossings_of(const region::Cut& cut, const Graph& graph, ProgramSide side, NodeId node,
                       const DigitBasis& basis, const std::vector<InspectedValue>& values) {
  if (graph.node(node).op() == nullptr || !graph.has_meaning(node)) return {};
  Stepping stepping(graph, side, node, values);
  // The corners of the box and its middle.
  for (const Dim part : {0, 1, 2}) {
    Shape at;
    for (const region::Range& range : cut.inside)
      at.push_back(range.low + (range.extent() - 1) * part / 2);
    at[cut.digit] = cut.at - 1;
    const Shape below = in_axes(at, basis);
    at[cut.digit] = cut.at;
    stepping.follow({-1, below, in_axes(at, basis)});
  }
  return stepping.found();
}

}  // namespace pet
