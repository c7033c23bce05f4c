#include "core/program/views.h"

#include <algorithm>
#include <numeric>

#include "core/ops/ops.h"

namespace pet::views {

Result<NodeId> reshape(GraphBuilder& b, NodeId x, const Shape& shape) {
  if (b.type(x).shape == shape) return x;
  return b.add(ops::reshape(), Attrs{{"shape", shape}}, {x});
}

Result<NodeId> transpose(GraphBuilder& b, NodeId x, const std::vector<std::size_t>& order) {
  if (std::is_sorted(order.begin(), order.end())) return x;
  return b.add(ops::transpose(), Attrs{{"perm", Ints(order.begin(), order.end())}}, {x});
}

Result<NodeId> slice(GraphBuilder& b, NodeId x, std::size_t axis, Dim low, Dim count, Dim step) {
  if (low == 0 && step == 1 && count == (*b.type(x).shape)[axis]) return x;
  const Dim end = low + (count - 1) * step + 1;
  return b.add(ops::slice(),
               Attrs{{"axes", Ints{static_cast<Dim>(axis)}},
                     {"starts", Ints{low}},
                     {"ends", Ints{end}},
                     {"steps", Ints{step}}},
               {x});
}

Result<NodeId> pad(GraphBuilder& b, NodeId x, std::size_t axis, Dim before, Dim after) {
  if (before == 0 && after == 0) return x;
  const std::size_t rank = b.type(x).shape->size();
  Ints pads(2 * rank, 0);
  pads[axis] = before;
  pads[rank + axis] = after;
  return b.add(ops::pad(), Attrs{{"pads", pads}}, {x});
}

Result<NodeId> concat(GraphBuilder& b, std::span<const NodeId> parts, std::size_t axis) {
  if (parts.size() == 1) return parts[0];
  return b.add(ops::concat(), Attrs{{"axis", static_cast<Dim>(axis)}},
               {parts.begin(), parts.end()});
}

Result<NodeId> stack(GraphBuilder& b, NodeId x, std::size_t from, std::size_t to, Dim factor) {
  Shape split = *b.type(x).shape;
  Shape merged = split;
  merged[from] /= factor;
  merged[to] *= factor;
  split[from] /= factor;
  split.insert(split.begin() + static_cast<std::ptrdiff_t>(from) + 1, factor);
  auto parted = reshape(b, x, split);
  if (!parted) return parted;
  // Now the piece is axis from+1; bring it in front of what was axis `to`.
  std::vector<std::size_t> order(split.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t target = to > from ? to + 1 : to;
  order.erase(order.begin() + static_cast<std::ptrdiff_t>(from) + 1);
  order.insert(std::find(order.begin(), order.end(), target), from + 1);
  auto turned = transpose(b, *parted, order);
  if (!turned) return turned;
  return reshape(b, *turned, merged);
}

Result<NodeId> unstack(GraphBuilder& b, NodeId x, std::size_t from, std::size_t to, Dim factor) {
  Shape split = *b.type(x).shape;
  Shape merged = split;
  merged[from] *= factor;
  merged[to] /= factor;
  split[to] /= factor;
  split.insert(split.begin() + static_cast<std::ptrdiff_t>(to), factor);
  auto parted = reshape(b, x, split);
  if (!parted) return parted;
  // The piece is axis `to`; bring it right behind `from`.
  std::vector<std::size_t> order(split.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t target = from >= to ? from + 1 : from;
  order.erase(order.begin() + static_cast<std::ptrdiff_t>(to));
  order.insert(std::find(order.begin(), order.end(), target) + 1, to);
  auto turned = transpose(b, *parted, order);
  if (!turned) return turned;
  return reshape(b, *turned, merged);
}

}  // namespace pet::views
