// What may become of an operator's attributes at other sizes.
#include <algorithm>
#include <functional>
#include <numeric>

#include "verify/reduce/resizing.h"

namespace pet::reduce {
namespace {

// Of one integer of an attribute; nothing: it is none that could change.
using Rule = std::function<std::optional<std::int64_t>(std::int64_t)>;

Attrs with(const Op& op, const Rule& rule) {
  Attrs out = op.attrs;
  for (const AttrDef& attr : op.def->attrs) {
    if (attr.role != AttrRole::Geometry) continue;
    AttrValue value = *op.attrs.find(attr.name);
    if (auto* number = std::get_if<std::int64_t>(&value)) *number = rule(*number).value_or(*number);
    if (Ints* list = std::get_if<Ints>(&value)) {
      for (std::int64_t& number : *list) number = rule(number).value_or(number);
    }
    out.set(attr.name, std::move(value));
  }
  return out;
}

// Where the extents of the result stand in an attribute and no element is lost or made, it is a
// reshape, whatever it is called.
void add_reshaped(const Op& op, const std::vector<Shape>& before, const std::vector<Shape>& now,
                  const Shape& result, std::vector<Attrs>& out) {
  if (before.size() != 1 || count(before[0]) != count(result)) return;
  for (const auto& [name, value] : op.attrs) {
    const Ints* list = std::get_if<Ints>(&value);
    if (list == nullptr || *list != result) continue;
    for (Shape& shape : reshaped(before[0], now[0], result)) {
      Attrs attrs = op.attrs;
      attrs.set(name, std::move(shape));
      out.push_back(std::move(attrs));
    }
  }
}

}  // namespace

std::vector<Shape> reshaped(const Shape& from, const Shape& now, const Shape& to) {
  std::vector<Shape> out = {to, to};
  std::size_t i = 0;
  std::size_t j = 0;
  const auto product = [](auto first, auto last) {
    return std::accumulate(first, last, Dim{1}, std::multiplies<>());
  };
  while (i < from.size() || j < to.size()) {
    const std::size_t i0 = i;
    const std::size_t j0 = j;
    Dim theirs = 1;
    Dim ours = 1;
    // At least one axis of each side that has any left, then until both are equally many.
    if (i < from.size()) theirs *= from[i++];
    if (j < to.size()) ours *= to[j++];
    while (theirs != ours) {
      if (theirs < ours && i < from.size()) {
        theirs *= from[i++];
      } else if (ours < theirs && j < to.size()) {
        ours *= to[j++];
      } else {
        return {};
      }
    }
    const auto at = [](const Shape& shape, std::size_t n) {
      return shape.begin() + static_cast<std::ptrdiff_t>(n);
    };
    const Dim left = product(at(now, i0), at(now, i));
    if (left == theirs) continue;
    if (theirs == 0) return {};
    const auto change = [&](Shape& shape, bool from_front) {
      for (std::size_t k = 0; k < j - j0; ++k) {
        Dim& extent = shape[from_front ? j0 + k : j - 1 - k];
        if (extent * left % theirs != 0) continue;
        extent = extent * left / theirs;
        return true;
      }
      return false;
    };
    if (!change(out[0], true) || !change(out[1], false)) return {};
  }
  if (out[0] == out[1]) out.pop_back();
  return out;
}

std::vector<Attrs> rescaled(const Op& op, const std::vector<Shape>& before,
                            const std::vector<Shape>& now, const Shape& result,
                            const SizeChange& change) {
  const Dim from = change.from;
  const Dim to = change.to;
  using Number = std::optional<std::int64_t>;
  constexpr std::int64_t kLargest = std::int64_t{1} << 31;  // two of them have a product
  const Rule equal = [=](std::int64_t x) { return x == from ? Number(to) : std::nullopt; };
  const Rule multiple = [=](std::int64_t x) {
    return x > 0 && x < kLargest && x % from == 0 ? Number(x / from * to) : std::nullopt;
  };
  // An end, or something that lies a little before or behind one.
  const Rule near_multiple = [=](std::int64_t x) {
    if (x < 1 || x >= kLargest) return Number();
    const std::int64_t times = (x + from / 2) / from;
    const std::int64_t beside = x - times * from;
    const bool is_near = times > 0 && beside >= -2 && beside <= 2;
    return is_near ? Number(times * to + beside) : std::nullopt;
  };
  const Rule ratio = [=](std::int64_t x) {
    return x > 1 && x < kLargest && x * to % from == 0 ? Number(x * to / from) : std::nullopt;
  };
  std::vector<Attrs> out;
  add_reshaped(op, before, now, result, out);
  if (change.first == Numbers::AsTheyAre) {
    out.push_back(op.attrs);
    for (const Rule& rule : {equal, multiple, near_multiple, ratio}) out.push_back(with(op, rule));
  } else {
    for (const Rule& rule : {ratio, multiple, equal, near_multiple}) out.push_back(with(op, rule));
    out.push_back(op.attrs);
  }
  return out;
}

}  // namespace pet::reduce
