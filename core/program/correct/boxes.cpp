#include "core/program/correct/boxes.h"

#include <fmt/format.h>

#include <span>

#include "core/program/views.h"

namespace pet {
namespace {

constexpr std::size_t kMostPieces = 32;

// The positions of an axis that a box takes in its digits, if they are evenly spaced.
std::optional<Progression> progression(const Shape& digits, std::span<const Dim> low,
                                       std::span<const Dim> high) {
  Progression out{0, 1, 1};
  Dim weight = 1;
  bool open = true;  // every digit so far lies whole in the box, or all were single
  bool any = false;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const Dim taken = high[i] - low[i];
    if (taken > 1) {
      if (any && !(open && out.count * out.step == weight)) return std::nullopt;
      if (!any) out.step = weight;
      out.count *= taken;
      any = true;
      open = taken == digits[i];
    }
    out.low += low[i] * weight;
    weight *= digits[i];
  }
  return out;
}

Status add_regular(const DigitBasis& basis, const Box& box, std::vector<Box>& out) {
  std::size_t digit = 0;
  for (const Shape& digits : basis.digits) {
    const auto low = std::span(box.low).subspan(digit, digits.size());
    const auto high = std::span(box.high).subspan(digit, digits.size());
    if (!progression(digits, low, high)) {
      for (std::size_t i = 0; i < digits.size();
           ++i) {  // the outermost open digit, one value at a time
        if (high[i] - low[i] <= 1) continue;
        for (Dim value = low[i]; value < high[i]; ++value) {
          Box piece = box;
          piece.low[digit + i] = value;
          piece.high[digit + i] = value + 1;
          if (auto status = add_regular(basis, piece, out); !status) return status;
        }
        return Done{};
      }
    }
    digit += digits.size();
  }
  if (out.size() == kMostPieces)
    return Error{fmt::format("more than {} pieces to recompute", kMostPieces)};
  out.push_back(box);
  return Done{};
}

Result<NodeId> paste_from(GraphBuilder& b, NodeId x, const Box& box, NodeId patch,
                          std::size_t axis) {
  const Shape shape = *b.type(x).shape;
  while (axis < shape.size() && box.low[axis] == 0 && box.high[axis] == shape[axis]) ++axis;
  if (axis == shape.size()) return patch;
  std::vector<NodeId> parts;
  const auto add_slice = [&](Dim low, Dim high) -> Status {
    if (low == high) return Done{};
    auto part = views::slice(b, x, axis, low, high - low);
    if (!part) return std::move(part).error();
    parts.push_back(*part);
    return Done{};
  };
  if (auto status = add_slice(0, box.low[axis]); !status) return std::move(status).error();
  Box inner = box;
  auto middle = views::slice(b, x, axis, box.low[axis], box.high[axis] - box.low[axis]);
  if (!middle) return middle;
  inner.low[axis] = 0;
  inner.high[axis] = box.high[axis] - box.low[axis];
  auto pasted = paste_from(b, *middle, inner, patch, axis + 1);
  if (!pasted) return pasted;
  parts.push_back(*pasted);
  if (auto status = add_slice(box.high[axis], shape[axis]); !status)
    return std::move(status).error();
  return views::concat(b, parts, axis);
}

}  // namespace

Result<std::vector<Box>> regular_boxes(const Region& region) {
  std::vector<Box> out;
  for (const Box& box : region.boxes) {
    if (auto status = add_regular(region.basis, box, out); !status)
      return std::move(status).error();
  }
  return out;
}

std::vector<Progression> positions(const DigitBasis& basis, const Box& box) {
  std::vector<Progression> out;
  std::size_t digit = 0;
  for (const Shape& digits : basis.digits) {
    out.push_back(*progression(digits, std::span(box.low).subspan(digit, digits.size()),
                               std::span(box.high).subspan(digit, digits.size())));
    digit += digits.size();
  }
  return out;
}

Result<NodeId> paste(GraphBuilder& b, NodeId x, const Box& box, NodeId patch) {
  Shape extent;
  for (std::size_t i = 0; i < box.low.size(); ++i) extent.push_back(box.high[i] - box.low[i]);
  auto shaped = views::reshape(b, patch, extent);
  return shaped ? paste_from(b, x, box, *shaped, 0) : shaped;
}

}  // namespace pet
