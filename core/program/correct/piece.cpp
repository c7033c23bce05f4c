#include "core/program/correct/piece.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/analysis/free_axes.h"
#include "core/program/views.h"

namespace pet {
namespace {

Progression whole(Dim extent) { return {0, extent, 1}; }

// Which positions of a dimension are read for output positions `where`: the index of each read must
// be one output axis alone (then its progression carries over), or slide along one (then an
// interval is read); else the axis is wanted and the dimension read as a whole.
Result<Progression> read_range(const IndexedSum& sum, std::size_t operand, std::size_t dimension,
                               Dim extent, const std::vector<Progression>& where) {
  std::optional<Progression> range;
  for (const Term& term : sum.terms) {
    for (const Access& access : term.factors) {
      if (static_cast<std::size_t>(access.operand) != operand) continue;
      const IndexExpr& index = access.index[dimension];
      Progression here = whole(extent);
      for (std::size_t o = 0; o < where.size(); ++o) {
        const int axis = static_cast<int>(o);
        if (!index.depends_on(axis)) continue;
        if (index == v(axis)) {
          here = where[o];
          continue;
        }
        if (!slides_along(index, axis) && where[o] == whole(sum.out[o])) {
          here = whole(extent);
          continue;
        }
        // Also where the whole axis is wanted: the padding becomes explicit everywhere.
        if (!slides_along(index, axis) || where[o].step != 1)
          return Error{"a piece that is no interval of a sliding axis"};
        Shape extents = sum.out;
        extents.insert(extents.end(), term.reduce.begin(), term.reduce.end());
        Shape fixed = extents;
        for (std::size_t i = 0; i < where.size(); ++i) fixed[i] = 1;
        const auto [low, high] = index.bounds(fixed);  // of the taps, at output position 0
        const Dim first = index.value_along(axis, where[o].low);
        const Dim last = index.value_along(axis, where[o].low + where[o].count - 1);
        if (last < first) return Error{"a piece of an axis that runs backwards"};
        here = {low + first - index.value_along(axis, 0), high - low + last - first + 1, 1};
      }
      if (range && *range != here) return Error{"two reads of one operand that move differently"};
      range = here;
    }
  }
  return range.value_or(whole(extent));
}

}  // namespace

Result<NodeId> PieceBuilder::leaf(NodeId value, const std::vector<Progression>& where) {
  const Node& node = program_.node(value);
  NodeId x;
  if (const auto* constant = std::get_if<ConstantLeaf>(&node.what)) {
    x = builder_.add_constant(*constant, node.name);
  } else {
    const auto& inputs = program_.inputs();
    x = inputs_[static_cast<std::size_t>(std::find(inputs.begin(), inputs.end(), value) -
                                         inputs.begin())];
  }
  for (std::size_t axis = 0; axis < where.size(); ++axis) {
    auto sliced =
        views::slice(builder_, x, axis, where[axis].low, where[axis].count, where[axis].step);
    if (!sliced) return sliced;
    x = *sliced;
  }
  return x;
}

Result<NodeId> PieceBuilder::operand_piece(NodeId node, const Meaning& meaning, std::size_t operand,
                                           const std::vector<Progression>& where, bool& padded) {
  const NodeId value = program_.node(node).operands[operand];
  const Shape shape = *program_.node(value).type.shape;
  std::vector<Progression> inside;
  std::vector<std::pair<Dim, Dim>> zeros;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    auto range = read_range(meaning.sum, operand, d, shape[d], where);
    if (!range) return std::move(range).error();
    Dim before = 0;
    Dim after = 0;
    if (range->step == 1) {
      const Dim end = range->low + range->count;
      before = std::clamp<Dim>(-range->low, 0, range->count);
      after = std::clamp<Dim>(end - shape[d], 0, range->count - before);
      if (before + after >= range->count) return Error{"a piece that reads nothing but padding"};
      *range = {range->low + before, range->count - before - after, 1};
    }
    inside.push_back(*range);
    zeros.emplace_back(before, after);
  }
  auto x = piece(value, inside);
  for (std::size_t d = 0; x && d < shape.size(); ++d) {
    padded = padded || zeros[d].first > 0 || zeros[d].second > 0;
    x = views::pad(builder_, *x, d, zeros[d].first, zeros[d].second);
  }
  return x;
}

Result<NodeId> PieceBuilder::piece(NodeId value, const std::vector<Progression>& where) {
  const Node& node = program_.node(value);
  if (node.op() == nullptr) return leaf(value, where);
  if (!program_.has_meaning(value))
    return Error{"an operator without a meaning cannot be run on a piece"};
  const Meaning& meaning = program_.meaning(value);
  if (!meaning.applications.empty()) return Error{"only linear operators are run on pieces"};
  std::vector<NodeId> operands;
  bool padded = false;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    auto operand = operand_piece(value, meaning, i, where, padded);
    if (!operand) return operand;
    operands.push_back(*operand);
  }
  std::optional<Op> op = *node.op();
  if (op->def->without_padding != nullptr)
    op = op->def->without_padding(*op, padded ? Padding::Explicit : Padding::Untouched);
  if (!op) return Error{"a piece that reads padding whose zeros would mean something else"};
  auto result = builder_.add(*op, std::move(operands));
  if (!result) return result;
  Shape wanted;
  for (const Progression& p : where) wanted.push_back(p.count);
  if (*builder_.type(*result).shape != wanted) {
    return Error{fmt::format("{} on a piece gives {} instead of {}", op->def->name,
                             to_string(*builder_.type(*result).shape), to_string(wanted))};
  }
  return result;
}

}  // namespace pet
