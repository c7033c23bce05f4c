#include "verify/weights/rearranged.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/program/views.h"

namespace pet {
namespace {

using Order = std::vector<std::size_t>;
using Sources = std::span<const std::shared_ptr<const Tensor>>;

constexpr std::size_t kMostAxes = 5;  // of what is transposed: 120 orders

bool same(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// An array that is read in another order of its axes.
class View {
 public:
  View(std::span<const float> values, const Shape& shape, const Order& order) : values_(values) {
    const Shape strides = row_major_strides(shape);
    for (const std::size_t axis : order) {
      shape_.push_back(shape[axis]);
      strides_.push_back(strides[axis]);
    }
  }

  const Shape& shape() const { return shape_; }

  // REQUIRES: `other` has as many elements
  bool equals(std::span<const float> other) const {
    std::size_t next = 0;
    return visit([&](float x) { return same(x, other[next++]); });
  }

  std::vector<float> copy() const {
    std::vector<float> out;
    out.reserve(values_.size());
    visit([&](float x) {
      out.push_back(x);
      return true;
    });
    return out;
  }

 private:
  // Row-major, until `go_on` says no.
  template <class F>
  bool visit(const F& go_on) const {
    Shape at(shape_.size(), 0);
    Dim place = 0;
    for (std::size_t left = values_.size(); left > 0; --left) {
      if (!go_on(values_[static_cast<std::size_t>(place)])) return false;
      for (std::size_t axis = shape_.size(); axis-- > 0;) {
        place += strides_[axis];
        if (++at[axis] < shape_[axis]) break;
        place -= strides_[axis] * shape_[axis];
        at[axis] = 0;
      }
    }
    return true;
  }

  std::span<const float> values_;
  Shape shape_;
  Shape strides_;
};

// Axes of one element are in nobody's way.
Shape without_ones(const Shape& shape) {
  Shape out;
  std::ranges::copy_if(shape, std::back_inserter(out), [](Dim n) { return n != 1; });
  return out;
}

Order in_order(std::size_t axes) {
  Order out(axes);
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

Order inverse(const Order& order) {
  Order out(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = i;
  return out;
}

// Calls `look` with one order of the axes after the other until it yields something; the given
// order comes first, and is the only one where there are many axes.
template <class F>
auto first_order(std::size_t axes, const F& look) -> decltype(look(Order{})) {
  Order order = in_order(axes);
  do {
    if (auto found = look(order)) return found;
  } while (axes <= kMostAxes && std::next_permutation(order.begin(), order.end()));
  return {};
}

std::optional<NodeId> valid(const Result<NodeId>& made) {
  return made ? std::optional(*made) : std::nullopt;
}

// Reshaped, transposed, reshaped.
std::optional<NodeId> moved(GraphBuilder& b, const std::shared_ptr<const Tensor>& source,
                            const Shape& grouped, const Order& order, const Shape& shape) {
  auto made = views::reshape(b, b.add_constant(source), grouped);
  if (made) made = views::transpose(b, *made, order);
  if (made) made = views::reshape(b, *made, shape);
  return valid(made);
}

// All of one source.
std::optional<NodeId> whole(GraphBuilder& b, const Tensor& wanted, Sources sources) {
  const auto values = wanted.floats();
  for (const auto& source : sources) {
    if (source->floats().size() != values.size()) continue;
    const Shape theirs = without_ones(source->shape());
    const auto as_theirs = [&](const Order& order) -> std::optional<NodeId> {
      if (!View(source->floats(), theirs, order).equals(values)) return std::nullopt;
      return moved(b, source, theirs, order, wanted.shape());
    };
    if (auto made = first_order(theirs.size(), as_theirs)) return made;
    const Shape mine = without_ones(wanted.shape());
    const auto as_mine = [&](const Order& order) -> std::optional<NodeId> {
      const View view(values, mine, order);
      if (!view.equals(source->floats())) return std::nullopt;
      return moved(b, source, view.shape(), inverse(order), wanted.shape());
    };
    if (auto made = first_order(mine.size(), as_mine)) return made;
  }
  return std::nullopt;
}

bool differ_along(const Shape& a, const Shape& b, std::size_t axis) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i != axis && a[i] != b[i]) return false;
  }
  return a[axis] != b[axis];
}

// Whether the smaller stands in the larger from `offset` along the axis on.
bool stands_at(std::span<const float> smaller, const Shape& its_shape,
               std::span<const float> larger, Dim extent, std::size_t axis, Dim offset) {
  Dim inner = 1;
  for (std::size_t i = axis + 1; i < its_shape.size(); ++i) inner *= its_shape[i];
  const auto length = static_cast<std::size_t>(its_shape[axis] * inner);
  const auto stride = static_cast<std::size_t>(extent * inner);
  const auto first = static_cast<std::size_t>(offset * inner);
  for (std::size_t row = 0; row * length < smaller.size(); ++row) {
    const float* there = larger.data() + row * stride + first;
    if (std::memcmp(smaller.data() + row * length, there, length * sizeof(float)) != 0)
      return false;
  }
  return true;
}

// A piece of one source.
std::optional<NodeId> piece(GraphBuilder& b, std::span<const float> values, const Shape& shape,
                            Sources sources) {
  for (const auto& source : sources) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (!differ_along(shape, source->shape(), axis)) continue;
      const Dim extent = source->shape()[axis];
      for (Dim offset = 0; offset + shape[axis] <= extent; ++offset) {
        if (stands_at(values, shape, source->floats(), extent, axis, offset))
          return valid(views::slice(b, b.add_constant(source), axis, offset, shape[axis]));
      }
    }
  }
  return std::nullopt;
}

// Several sources side by side: of each place the first that fits.
std::optional<NodeId> joined(GraphBuilder& b, std::span<const float> values, const Shape& shape,
                             Sources sources) {
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    std::vector<NodeId> parts;
    Dim offset = 0;
    while (offset < shape[axis]) {
      const auto fits = [&](const std::shared_ptr<const Tensor>& source) {
        return differ_along(source->shape(), shape, axis) &&
               source->shape()[axis] <= shape[axis] - offset &&
               stands_at(source->floats(), source->shape(), values, shape[axis], axis, offset);
      };
      const auto part = std::ranges::find_if(sources, fits);
      if (part == sources.end()) break;
      parts.push_back(b.add_constant(*part));
      offset += (*part)->shape()[axis];
    }
    if (offset == shape[axis]) return valid(views::concat(b, parts, axis));
  }
  return std::nullopt;
}

}  // namespace

std::optional<NodeId> rearranged(GraphBuilder& b, const Tensor& wanted, Sources sources) {
  if (auto made = whole(b, wanted, sources)) return made;
  // Of one number (0, most often) pieces are everywhere.
  const auto is_first = [&](float x) { return same(x, wanted.floats()[0]); };
  if (std::ranges::all_of(wanted.floats(), is_first)) return std::nullopt;
  const auto in_parts = [&](const Order& order) -> std::optional<NodeId> {
    const View view(wanted.floats(), wanted.shape(), order);
    const std::vector<float> values = view.copy();
    auto made = piece(b, values, view.shape(), sources);
    if (!made) made = joined(b, values, view.shape(), sources);
    return made ? valid(views::transpose(b, *made, inverse(order))) : std::nullopt;
  };
  return first_order(wanted.shape().size(), in_parts);
}

}  // namespace pet
